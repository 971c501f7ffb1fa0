'use client';

import { Check } from 'lucide-react';
import { Checkbox } from 'radix-ui';
import { type ComponentProps, useId, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { ModelPicker } from '@/components/marks/model-picker';
import { Field } from '@/components/ui/field';
import { NameSelect } from '@/components/ui/name-select';
import { Select } from '@/components/ui/select';
import { useLatest } from '@/components/ui/use-latest';
import type { Json } from '@/lib/base/json';
import { type CardField, parsePatterns, printPatterns } from './card-fields';
import { DraftInput, DraftLines } from './draft-input';
import { NameList } from './name-list';
import { NumberInput } from './number-input';
import { PairsField } from './pairs-field';

/** Shows one field of a card. It writes directly into the card's text. */
export function CardFieldInput(props: {
  readonly file: string;
  readonly owner: string;
  readonly field: CardField;
  /** What the checker says of the value in the card. */
  readonly issue: string | undefined;
}) {
  const { file, owner, field, issue } = props;
  const commands = useCommands();
  const [fault, setFault] = useState<string>();
  const set = (value: Parameters<typeof commands.setField>[2]) =>
    commands.setField(file, field.path, value, `${field.label} of ${owner}`);

  switch (field.kind) {
    case 'flag':
      return <FlagField field={field} onChange={(on) => set(on === field.fallback ? undefined : on)} />;
    case 'specs':
      return <SpecsField file={file} field={field} />;
    case 'names':
      return <NamesField file={file} owner={owner} field={field} issue={issue} />;
    case 'name':
      return <NameField owner={owner} field={field} issue={issue} onChange={set} />;
    case 'pairs':
      return (
        <PairsField
          label={field.label}
          hint={field.hint ?? ''}
          separator=":"
          value={field.value}
          error={issue}
          onCommit={set}
        />
      );
    default:
      return (
        <Field label={field.label} {...hintOf(field)} error={fault ?? issue}>
          {(ids) => <ValueInput ids={ids} field={field} onChange={set} onFault={setFault} />}
        </Field>
      );
  }
}

type ValueField = Exclude<CardField, { kind: 'flag' | 'specs' | 'names' | 'name' | 'pairs' }>;

function hintOf(field: ValueField): { readonly hint?: string } {
  if (field.kind === 'patterns') return { hint: 'Globs, comma separated. Empty: all. none: no tools.' };
  return field.hint === undefined ? {} : { hint: field.hint };
}

/** Shows the input of a field with one value. `undefined` removes the field from the card. */
function ValueInput(props: {
  readonly ids: Parameters<ComponentProps<typeof Field>['children']>[0];
  readonly field: ValueField;
  readonly onChange: (value: Json | undefined) => void;
  readonly onFault: (fault: string | undefined) => void;
}) {
  const { ids, field, onChange, onFault } = props;
  const setText = (text: string) => onChange(text.trim() === '' ? undefined : text);
  switch (field.kind) {
    case 'text':
      return <DraftInput {...ids} value={field.value ?? ''} placeholder={field.placeholder} onCommit={setText} />;
    case 'lines':
      return (
        <DraftLines {...ids} rows={3} value={field.value ?? ''} placeholder={field.placeholder} onCommit={setText} />
      );
    case 'number':
      return (
        <NumberInput
          {...ids}
          inputMode={field.whole ? 'numeric' : 'decimal'}
          value={field.value}
          placeholder={field.placeholder}
          limits={{ least: field.least, whole: field.whole }}
          onChange={onChange}
          onFault={onFault}
        />
      );
    case 'choice':
      return (
        <Select
          {...ids}
          value={field.value ?? field.unset}
          options={withValue(field.options, field.value ?? field.unset).map((value) => ({ value, label: value }))}
          onValueChange={(value) => onChange(value === field.unset ? undefined : value)}
        />
      );
    case 'model':
      return <ModelPicker {...ids} label={field.label} value={field.value} none={field.unset} onChange={onChange} />;
    case 'patterns':
      return (
        <DraftInput
          {...ids}
          className="font-mono"
          value={printPatterns(field.value)}
          placeholder="all tools"
          late
          onCommit={(text) => onChange(parsePatterns(text))}
        />
      );
  }
}

function FlagField(props: { readonly field: CardField & { kind: 'flag' }; readonly onChange: (on: boolean) => void }) {
  const id = useId();
  const { field } = props;
  return (
    <div className="flex items-start gap-2">
      <Checkbox.Root
        id={id}
        checked={field.value}
        aria-describedby={field.hint === undefined ? undefined : `${id}-note`}
        className="mt-0.5 flex size-4 shrink-0 cursor-pointer items-center justify-center rounded-sm border border-line-strong bg-surface text-accent-ink hover:border-faint data-[state=checked]:border-accent data-[state=checked]:bg-accent"
        onCheckedChange={(checked) => props.onChange(checked === true)}
      >
        <Checkbox.Indicator>
          <Check aria-hidden className="size-3" strokeWidth={3} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <span className="min-w-0">
        <label htmlFor={id} className="cursor-pointer text-sm text-ink">
          {field.label}
        </label>
        {field.hint === undefined ? null : (
          <span id={`${id}-note`} className="block text-xs text-faint">
            {field.hint}
          </span>
        )}
      </span>
    </div>
  );
}

function SpecsField(props: { readonly file: string; readonly field: CardField & { kind: 'specs' } }) {
  const { file, field } = props;
  const commands = useCommands();
  const actions = useActions();
  const folder = useProject((state) => state.document.folder);
  const fileOf = (spec: string) => field.value.find((entry) => entry.spec === spec)?.file ?? '';
  return (
    <Field label={field.label}>
      {({ id }) => (
        <NameList
          id={id}
          label={field.label}
          names={field.value.map((entry) => entry.spec)}
          known={field.value.filter((entry) => folder.has(entry.file)).map((entry) => entry.spec)}
          noun="function"
          typed={{ placeholder: field.placeholder }}
          onAdd={(spec) => commands.insertName(file, field.path, field.value.length, spec)}
          onRemove={(index) => commands.removeName(file, field.path, index)}
          onMove={(from, to) => commands.moveName(file, field.path, from, to)}
          onOpen={(spec) => {
            if (folder.has(fileOf(spec))) actions.openFile(fileOf(spec));
          }}
        />
      )}
    </Field>
  );
}

function NamesField(props: {
  readonly file: string;
  readonly owner: string;
  readonly field: CardField & { kind: 'names' };
  readonly issue: string | undefined;
}) {
  const { file, field } = props;
  const commands = useCommands();
  const actions = useActions();
  const picture = useProject((state) => state.picture);
  const known =
    field.of === 'agents' ? picture.drawn.cards.map((card) => card.name) : Object.keys(picture.drawn.config.servers);
  const delegates = picture.graph.edges.some(
    (edge) => edge.kind === 'delegation' && edge.source === `agent:${props.owner}`,
  );
  const showOptions = (name: string) => {
    const edge = picture.graph.edges.find(
      (one) => one.kind === 'delegation' && one.source === `agent:${props.owner}` && one.target === `agent:${name}`,
    );
    if (edge !== undefined) actions.selectEdge(edge.id);
  };
  const kind = field.of === 'agents' ? 'agent' : 'server';
  return (
    <Field label={field.label} error={props.issue}>
      {({ id }) => (
        <NameList
          id={id}
          label={field.label}
          names={field.value}
          known={known}
          {...(field.of === 'agents' ? { not: props.owner } : {})}
          repeats={field.repeats === true}
          noun={field.of === 'agents' ? 'agent' : 'MCP server'}
          {...(field.of === 'agents' && delegates ? { onOptions: showOptions } : {})}
          onAdd={(name) => commands.insertName(file, field.path, field.value.length, name)}
          onRemove={(index) => commands.removeName(file, field.path, index)}
          onMove={(from, to) => commands.moveName(file, field.path, from, to)}
          onOpen={(name) => actions.select([`${kind}:${name}`])}
        />
      )}
    </Field>
  );
}

/** No agent has this name, because names are trimmed. */
const none = ' ';

/** Chooses one agent of the project, or none if the card can do without. */
function NameField(props: {
  readonly owner: string;
  readonly field: CardField & { kind: 'name' };
  readonly issue: string | undefined;
  readonly onChange: (name: string | undefined) => void;
}) {
  const { owner, field, issue } = props;
  const cards = useProject((state) => state.picture.drawn.cards);
  const pick = useLatest((name: string) => props.onChange(name === none ? undefined : name));
  const known = [...new Set(cards.map((card) => card.name))].filter((name) => name !== owner);
  const { value, unset } = field;
  const missing = value !== undefined && !known.includes(value);
  return (
    <Field label={field.label} error={issue}>
      {(ids) => (
        <NameSelect
          {...ids}
          value={value ?? (unset === undefined ? undefined : none)}
          placeholder={known.length === 0 ? 'No other agent' : 'Choose an agent…'}
          disabled={known.length === 0 && value === undefined}
          options={[
            ...(unset === undefined ? [] : [{ value: none, label: unset }]),
            ...known.map((name) => ({ value: name, label: name })),
            ...(missing ? [{ value, label: `${value} · missing` }] : []),
          ]}
          onValueChange={pick}
        />
      )}
    </Field>
  );
}

function withValue(options: readonly string[], value: string): readonly string[] {
  return options.includes(value) ? options : [...options, value];
}
