'use client';

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { VisibleText } from '@/components/ui/visible-text';
import { parseWithDigits } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { type GrantScope, grantScopes } from '@/lib/base/pending';
import type { AnswerInput, PendingDetail, Remember } from '@/lib/base/pending-info';
import { changedFields } from './argument-fields';
import { ArgumentsForm } from './arguments-form';
import { reasonWords, ruleWords } from './question-words';
import { stickyActions } from './sticky-actions';

export interface DecisionFormProps {
  readonly item: PendingDetail;
  readonly busy: boolean;
  readonly onSend: (input: AnswerInput) => Promise<void>;
  readonly onCancel: () => void;
}

/** A form in the card. Its first field takes the focus; `Mod+Enter` sends it, Escape closes it. */
function InPlace(props: {
  readonly label: string;
  readonly send: string;
  readonly tone?: 'primary' | 'danger';
  readonly busy: boolean;
  readonly disabled?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('textarea, input, [role=combobox]')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!props.disabled) props.onSubmit();
    } else if (event.key === 'Escape' && !event.defaultPrevented) {
      event.preventDefault();
      props.onCancel();
    }
  };
  return (
    <form
      ref={form}
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.disabled) props.onSubmit();
      }}
      className="flex flex-col gap-3 rounded border bg-ground p-3"
    >
      {props.children}
      <div className={classNames(stickyActions, 'bg-ground')}>
        <Button type="submit" variant={props.tone ?? 'primary'} busy={props.busy} disabled={props.disabled}>
          {props.send}
        </Button>
        <Button onClick={props.onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

export function DenyForm({ item, busy, onSend, onCancel }: DecisionFormProps) {
  const [note, setNote] = useState('');
  return (
    <InPlace
      label="Decline"
      send="Decline"
      tone="danger"
      {...{ busy, onCancel }}
      onSubmit={() => void onSend({ decision: 'deny', ...(note.trim() !== '' && { note }) })}
    >
      <Field label="Reason" hint={reasonWords(item.question)}>
        {(ids) => <Textarea {...ids} rows={2} value={note} onChange={(event) => setNote(event.currentTarget.value)} />}
      </Field>
    </InPlace>
  );
}

export function EditForm({ item, busy, onSend, onCancel }: DecisionFormProps) {
  const { question } = item;
  const original = objectOf(question.arguments) ?? {};
  const [text, setText] = useState(() => JSON.stringify(original, null, 2));
  const args = objectOf(parseWithDigits(text));
  const changed = args === undefined ? [] : changedFields(original, args);
  return (
    <InPlace
      label="Edit and approve"
      send="Approve with changes"
      {...{ busy, onCancel }}
      disabled={args === undefined || changed.length === 0}
      onSubmit={() => {
        if (args !== undefined) void onSend({ decision: 'edit', arguments: args });
      }}
    >
      <ArgumentsForm text={text} onText={setText} form={question.form} />
      <p role="status" className="text-muted text-xs">
        {args === undefined
          ? 'The arguments are not a JSON object yet.'
          : changed.length === 0
            ? 'Nothing is changed yet.'
            : `Changed: ${changed.join(', ')}. The model is told what ran.`}
      </p>
    </InPlace>
  );
}

const scopeWords: Readonly<Record<GrantScope, string>> = {
  run: 'This run',
  session: 'This conversation',
  agent: 'This agent, in the project',
  project: 'The project',
};
const matches = [
  { value: 'equal', label: 'Exactly these arguments' },
  { value: 'pattern', label: 'Arguments like these…' },
  { value: 'any', label: 'Any arguments' },
];

/** With `like` it begins with calls whose arguments are like these, otherwise with exactly these. */
export function RememberForm({ item, busy, onSend, onCancel, like }: DecisionFormProps & { readonly like: boolean }) {
  const [scope, setScope] = useState<GrantScope>('run');
  const [how, setHow] = useState(() =>
    like && Object.keys(textsOf(item.question.arguments)).length > 0 ? 'pattern' : 'equal',
  );
  const [patterns, setPatterns] = useState(() => textsOf(item.question.arguments));
  const used = Object.fromEntries(Object.entries(patterns).filter(([, pattern]) => pattern !== ''));
  const match: Remember['match'] = how === 'pattern' ? used : how === 'any' ? 'any' : 'equal';
  const isEmpty = how === 'pattern' && Object.keys(used).length === 0;
  return (
    <InPlace
      label="Approve and remember"
      send="Approve and remember"
      {...{ busy, onCancel }}
      disabled={isEmpty}
      onSubmit={() => void onSend({ decision: 'approve', remember: { scope, match } })}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="For">
          {(ids) => (
            <Select
              {...ids}
              value={scope}
              onValueChange={(value) => setScope(grantScopes.find((each) => each === value) ?? 'run')}
              options={grantScopes.map((value) => ({ value, label: scopeWords[value] }))}
            />
          )}
        </Field>
        <Field label="Calls with">
          {(ids) => <Select {...ids} value={how} onValueChange={setHow} options={matches} />}
        </Field>
      </div>
      {how === 'pattern' &&
        Object.entries(patterns).map(([name, pattern]) => (
          <Field key={name} label={name} hint="* stands for any characters. Empty: any value.">
            {(ids) => (
              <Input
                {...ids}
                value={pattern}
                onChange={(event) => setPatterns({ ...patterns, [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
      <p role="status" className="break-words text-ink text-sm">
        {isEmpty ? (
          'Give a value for at least one argument.'
        ) : (
          <VisibleText text={ruleWords(item.question, { scope, match })} />
        )}
      </p>
    </InPlace>
  );
}

/** Returns the arguments that a pattern can be given for. */
function textsOf(args: Json | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectOf(args) ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, String(value)]]
        : [],
    ),
  );
}

function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
