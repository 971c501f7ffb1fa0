'use client';

import { RotateCcw } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { ModelPicker } from '@/components/marks/model-picker';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Select } from '@/components/ui/select';
import { isRecord, type Json } from '@/lib/base/json';
import { settingsName } from '@/lib/cards/file-role';
import { type Choice, choiceOf, type DelegationField, namesToText, textToNames } from './delegation-options';
import { DraftInput, DraftLines } from './draft-input';
import type { FieldFault } from './field-faults';
import { faultOfEdit } from './field-place';
import { NumberInput } from './number-input';
import { SchemaEditor } from './schema-field';

export interface DelegationFieldProps {
  readonly field: DelegationField;
  /** The place of the edge's options in `callboard.yaml`. */
  readonly at: readonly string[];
  /** The value that is set on the edge. */
  readonly own: Json | undefined;
  /** The value that is set in `delegation_defaults`. */
  readonly inherited: Json | undefined;
  /** Describes in words the value that applies if neither sets one. */
  readonly unset: string;
  readonly onChange: (path: readonly string[], value: Json | undefined) => void;
}

type Ids = Parameters<ComponentProps<typeof Field>['children']>[0];

/** Shows one option of a delegation. An option that is not set shows its default; one that is set can be reset. */
export function DelegationFieldInput({ field, at, own, inherited, unset, onChange }: DelegationFieldProps) {
  const { input, label, path } = field;
  const [error, setError] = useState<string | undefined>(undefined);
  // Resets are counted, because a reset must also remove refused text from the field, whose key is this count.
  const [resets, setResets] = useState(0);
  const set = (value: Json | undefined) => {
    setError(undefined);
    onChange(path, value);
  };
  const hint = own === undefined && inherited !== undefined ? 'Set in delegation_defaults.' : field.hint;
  const control = (ids: Ids) => (
    <Control {...{ ids, field, at, own, inherited, unset }} onChange={set} onFault={setError} />
  );
  const unit = input.kind === 'number' && input.unit !== undefined ? ` (${input.unit})` : '';
  return (
    <div className="relative min-w-0">
      <Field key={resets} label={`${label}${unit}`} hint={hint} error={error}>
        {control}
      </Field>
      {own !== undefined && (
        <span className="absolute -top-1.5 right-0">
          <IconButton
            size="sm"
            label={`Reset ${label.toLowerCase()}`}
            icon={<RotateCcw aria-hidden />}
            onClick={() => {
              set(undefined);
              setResets(resets + 1);
            }}
          />
        </span>
      )}
    </div>
  );
}

interface ControlProps extends Omit<DelegationFieldProps, 'onChange'> {
  readonly ids: Ids;
  readonly onChange: (value: Json | undefined) => void;
  readonly onFault: (fault: string | undefined) => void;
}

/** Shows the input for one kind of option. */
function Control({ ids, field, at, own, inherited, unset, onChange, onFault }: ControlProps) {
  const { input, label, path } = field;
  const placeholder = inherited === undefined ? unset : shown(inherited);
  switch (input.kind) {
    case 'text':
      return (
        <DraftInput
          {...ids}
          className="font-mono"
          value={typeof own === 'string' ? own : ''}
          placeholder={placeholder}
          onCommit={(text) => onChange(text.trim() || undefined)}
        />
      );
    case 'lines':
      return (
        <DraftLines
          {...ids}
          rows={3}
          value={typeof own === 'string' ? own : ''}
          placeholder={placeholder}
          onCommit={(text) => onChange(text.trim() === '' ? undefined : text)}
        />
      );
    case 'number':
      return <NumberInput {...ids} value={own} placeholder={placeholder} onChange={onChange} onFault={onFault} />;
    case 'names':
      return <NamesInput ids={ids} value={own} placeholder={placeholder} onChange={onChange} />;
    case 'model':
      return (
        <ModelPicker
          {...ids}
          label={label}
          value={typeof own === 'string' ? own : undefined}
          none={placeholder}
          onChange={onChange}
        />
      );
    case 'schema':
      return <EdgeSchema label={label} at={[...at, ...path]} schema={own} unset={placeholder} />;
    case 'choice':
      return (
        <ChoiceInput
          ids={ids}
          choices={input.choices}
          own={own}
          otherwise={choiceOf(input.choices, inherited)?.id ?? unset}
          onChange={onChange}
          onFault={onFault}
        />
      );
  }
}

/** Edits a schema of the edge. Without one the sentence says what applies. */
function EdgeSchema(props: {
  readonly label: string;
  readonly at: readonly string[];
  readonly schema: Json | undefined;
  readonly unset: string;
}) {
  const { label, at, schema, unset } = props;
  const commands = useCommands();
  const read = useReadProject();
  return (
    <>
      {schema === undefined && <p className="text-faint text-sm">{unset}</p>}
      <SchemaEditor
        label={label}
        at={at}
        schema={schema}
        faults={noFaults}
        onEdit={(edits) =>
          commands.editFields(settingsName, edits, { label: `${label} of ${at.slice(1).join(' → ')}` })
        }
        refuse={(value) => faultOfEdit(read().document.folder, settingsName, at, value)}
      />
    </>
  );
}

const noFaults: ReadonlyMap<string, FieldFault> = new Map();

function shown(value: Json): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? namesToText(value) : JSON.stringify(value);
}

interface InputProps {
  readonly ids: Partial<Ids> & { readonly 'aria-label'?: string };
  readonly value: Json | undefined;
  readonly placeholder: string;
  readonly onChange: (value: Json | undefined) => void;
}

function NamesInput({ ids, value, placeholder, onChange }: InputProps) {
  return (
    <DraftInput
      {...ids}
      late
      className="font-mono"
      value={namesToText(value)}
      placeholder={placeholder}
      onCommit={(text) => onChange(textToNames(text))}
    />
  );
}

function ChoiceInput(props: {
  readonly ids: Ids;
  readonly choices: readonly Choice[];
  readonly own: Json | undefined;
  /** The id of the default choice. */
  readonly otherwise: string;
  readonly onChange: (value: Json | undefined) => void;
  readonly onFault: (fault: string | undefined) => void;
}) {
  const { ids, choices, own, otherwise, onChange, onFault } = props;
  const chosen = choiceOf(choices, own);
  const fallback = choices.find(({ id }) => id === otherwise);
  const member = chosen?.member;
  const inner = member !== undefined && isRecord(own) ? (own[member.key] as Json | undefined) : undefined;
  return (
    <>
      <Select
        {...ids}
        value={chosen?.id}
        placeholder={fallback === undefined ? otherwise : `${fallback.label} (default)`}
        options={choices.map(({ id, label }) => ({ value: id, label }))}
        onValueChange={(id) => onChange(choices.find((choice) => choice.id === id)?.value)}
      />
      {member?.kind === 'number' && (
        <NumberInput
          aria-label={member.label}
          aria-describedby={ids['aria-describedby']}
          aria-invalid={ids['aria-invalid']}
          value={inner}
          placeholder={member.label}
          onFault={onFault}
          onChange={(value) => value !== undefined && onChange({ ...chosen?.having, [member.key]: value })}
        />
      )}
      {member?.kind === 'names' && (
        <NamesInput
          ids={{ 'aria-label': member.label }}
          value={inner}
          placeholder={`${member.label}, comma separated`}
          onChange={(value) => onChange({ ...chosen?.having, [member.key]: value ?? [] })}
        />
      )}
    </>
  );
}
