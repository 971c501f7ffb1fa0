'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import type { Expectations } from '@/lib/cards/fixture';

export interface SaveTestFormProps {
  readonly suggested: Expectations;
  readonly suggestedName: string;
  /** Says why nothing can be saved here. */
  readonly whyNot: string | undefined;
  /** Resolves to a sentence that says why it failed. */
  readonly onSave: (input: {
    readonly name: string;
    readonly description: string;
    readonly expect: Expectations;
  }) => Promise<string | undefined>;
}

/** Names a test and chooses what it expects, from what the run did. More can be written in its file. */
export function SaveTestForm({ suggested, suggestedName, whyNot, onSave }: SaveTestFormProps) {
  const { answer, calls = [], hooks = [], error, limits } = suggested;
  const [name, setName] = useState(suggestedName);
  const [description, setDescription] = useState('');
  const [part, setPart] = useState(answer?.contains?.[0] ?? '');
  const [rubric, setRubric] = useState('');
  const [timeMs, setTimeMs] = useState(`${limits?.time_ms ?? ''}`);
  const [costUsd, setCostUsd] = useState(`${limits?.cost_usd ?? ''}`);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const rows = [
    ...calls.map((call, index) => ({ id: `call ${index}`, text: callText(call) })),
    ...hooks.map(({ hook, tool }, index) => ({ id: `hook ${index}`, text: `${hook} stops a call of ${tool}` })),
  ];
  const isKept = (id: string) => !left.has(id);
  const toggle = (id: string) =>
    setLeft((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const keptCalls = calls.filter((_, index) => isKept(`call ${index}`));
    const keptHooks = hooks.filter((_, index) => isKept(`hook ${index}`));
    const failure = await onSave({
      name: name.trim(),
      description,
      expect: {
        ...(error !== undefined && { error }),
        ...(part.trim() !== '' && { answer: { contains: [part.trim()] } }),
        ...(keptCalls.length > 0 && { calls: keptCalls }),
        ...(keptHooks.length > 0 && { hooks: keptHooks }),
        ...limitsOf(timeMs, costUsd),
        ...(rubric.trim() !== '' && { rubric: rubric.trim() }),
      },
    });
    setFault(failure);
    setBusy(false);
  };
  return (
    <form onSubmit={save} className="flex max-w-2xl flex-col gap-4">
      <Field label="Name" hint="The files are tests/NAME.fixture.yaml and tests/NAME.recording.jsonl.">
        {(ids) => (
          <Input {...ids} required maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label="Description">
        {(ids) => (
          <Input
            {...ids}
            maxLength={500}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      <AnswerField error={error} part={part} onPart={setPart} />
      {rows.length > 0 && <Choices rows={rows} isKept={isKept} onToggle={toggle} />}
      <LimitFields timeMs={timeMs} onTimeMs={setTimeMs} costUsd={costUsd} onCostUsd={setCostUsd} />
      <Field label="Rubric" hint="A model judges the answer by it, where a key for one is there.">
        {(ids) => <Textarea {...ids} value={rubric} onChange={(event) => setRubric(event.target.value)} />}
      </Field>
      <p role="alert" className="text-bad text-sm empty:hidden">
        {fault}
      </p>
      {whyNot === undefined ? (
        <div>
          <Button type="submit" variant="primary" busy={isBusy}>
            Save test
          </Button>
        </div>
      ) : (
        <p className="text-muted text-sm">{whyNot}</p>
      )}
    </form>
  );
}

/** What the answer has to contain, or the error that the run ended with. */
function AnswerField(props: {
  readonly error: string | undefined;
  readonly part: string;
  readonly onPart: (text: string) => void;
}) {
  const { error, part, onPart } = props;
  if (error !== undefined) {
    return (
      <p className="text-muted text-sm">
        The run failed with <code className="font-mono text-xs">{error}</code>, and the test expects that again.
      </p>
    );
  }
  return (
    <Field label="The answer contains" hint="Leave it empty if any answer will do.">
      {(ids) => <Textarea {...ids} value={part} onChange={(event) => onPart(event.target.value)} />}
    </Field>
  );
}

/** What a run may take. The fields are texts, because an empty one is no limit. */
function LimitFields(props: {
  readonly timeMs: string;
  readonly onTimeMs: (text: string) => void;
  readonly costUsd: string;
  readonly onCostUsd: (text: string) => void;
}) {
  const { timeMs, onTimeMs, costUsd, onCostUsd } = props;
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <Field label="Time at most, ms" hint="A replay compares the recorded time. Empty: no limit.">
        {(ids) => (
          <Input
            {...ids}
            type="number"
            min={1}
            step={1}
            className="tabular"
            value={timeMs}
            onChange={(event) => onTimeMs(event.target.value)}
          />
        )}
      </Field>
      <Field label="Cost at most, USD" hint="Empty: no limit.">
        {(ids) => (
          <Input
            {...ids}
            type="number"
            min={0.000001}
            step="any"
            className="tabular"
            value={costUsd}
            onChange={(event) => onCostUsd(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}

/** Returns the limits of the fields that are filled. */
function limitsOf(timeMs: string, costUsd: string): Pick<Expectations, 'limits'> {
  const limits = {
    ...(timeMs.trim() !== '' && { time_ms: Number(timeMs) }),
    ...(costUsd.trim() !== '' && { cost_usd: Number(costUsd) }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
}

function callText({ tool, agent, times }: NonNullable<Expectations['calls']>[number]): string {
  const count = times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`;
  return `${agent === undefined ? '' : `${agent} calls `}${tool} ${count}`;
}

interface ChoicesProps {
  readonly rows: readonly { readonly id: string; readonly text: string }[];
  readonly isKept: (id: string) => boolean;
  readonly onToggle: (id: string) => void;
}

/** What the run did, each with a box that keeps it as an expectation. */
function Choices({ rows, isKept, onToggle }: ChoicesProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium text-muted text-xs">What the run does</legend>
      {rows.map(({ id, text }) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control
        <label key={id} className="-ml-2 flex cursor-pointer items-start text-ink text-sm">
          <Checkbox label={text} checked={isKept(id)} onToggle={() => onToggle(id)} />
          <span aria-hidden className="min-w-0 break-words py-1.5">
            {text}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
