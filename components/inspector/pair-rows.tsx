'use client';

import { KeyRound, Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { PickOne } from '@/components/ui/picker';
import { pairNameFault, secretReference, secretValue } from '@/lib/editor/secret-value';
import { DraftInput } from './draft-input';

type Pair = readonly [name: string, value: string];

/** A reference to a variable, as it is written in a file. */
function asVariable(name: string): string {
  return `$\{${name}}`;
}

const looks = {
  env: { label: 'Environment', noun: 'variable', name: 'NAME', value: 'value' },
  headers: { label: 'Headers', noun: 'header', name: 'Authorization', value: `Bearer ${asVariable('NAME')}` },
} as const;

export interface PairRowsProps {
  readonly kind: 'env' | 'headers';
  readonly value: Readonly<Record<string, string>>;
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/**
 * Names with values, a row for each. A value is text, or the name of a secret of the project or of a variable that the
 * installation gives to it, so that no secret is in the folder.
 */
export function PairRows({ kind, value, onChange }: PairRowsProps) {
  const pairs = Object.entries(value);
  const [adding, setAdding] = useState(false);
  const id = useId();
  const { label, noun } = looks[kind];
  const others = (index: number) => pairs.flatMap(([name], at) => (at === index ? [] : [name]));
  const rows: readonly Pair[] = adding ? [...pairs, ['', '']] : pairs;
  return (
    <fieldset aria-describedby={`${id}-note`} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-medium text-muted text-xs">{label}</legend>
      {rows.map((pair, index) => (
        <PairRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps the focus while its name changes
          key={index}
          kind={kind}
          pair={pair}
          others={others(index)}
          fresh={index >= pairs.length}
          onChange={(next) => {
            if (index >= pairs.length) setAdding(false);
            onChange([...pairs.slice(0, index), next, ...pairs.slice(index + 1)]);
          }}
          onRemove={() => {
            if (index >= pairs.length) setAdding(false);
            else onChange(pairs.filter((_, at) => at !== index));
          }}
        />
      ))}
      <span>
        <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setAdding(true)}>
          Add {noun}
        </Button>
      </span>
      <p id={`${id}-note`} className="text-faint text-xs">
        Write a secret as <code>{asVariable('NAME')}</code>, or choose it with the key button, so that its value is not
        in the files. The value is set in Settings, under Secrets of this project.
      </p>
    </fieldset>
  );
}

interface PairRowProps {
  readonly kind: 'env' | 'headers';
  readonly pair: Pair;
  /** The names of the other rows. */
  readonly others: readonly string[];
  /** True for a row that is not in the file yet. It is written once it has a name. */
  readonly fresh: boolean;
  readonly onChange: (pair: Pair) => void;
  readonly onRemove: () => void;
}

function PairRow({ kind, pair, others, fresh, onChange, onRemove }: PairRowProps) {
  const [name, value] = pair;
  const [fault, setFault] = useState<string>();
  const [early, setEarly] = useState('');
  const reference = secretReference(value);
  const [picking, setPicking] = useState(false);
  const isSecret = reference !== undefined || picking;
  const id = useId();
  const { noun, ...look } = looks[kind];
  const setValue = (next: string) => {
    // A value that is typed before the name waits for it.
    if (name === '') setEarly(next);
    else onChange([name, next]);
  };
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded border bg-ground p-1.5">
      <div className="flex items-center gap-1">
        <DraftInput
          aria-label={name === '' ? `Name of the new ${noun}` : `Name of ${noun} ${name}`}
          aria-invalid={fault === undefined ? undefined : true}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          autoFocus={fresh}
          late
          className="!h-7 font-mono !text-xs"
          value={name}
          placeholder={look.name}
          refuse={(text) => pairNameFault(kind, text.trim(), others)}
          onFault={setFault}
          onCommit={(text) => {
            if (text.trim() !== '') onChange([text.trim(), name === '' ? early : value]);
          }}
        />
        <IconButton
          size="sm"
          pressed={isSecret}
          label={name === '' ? 'Use a variable' : `Use a variable for ${name}`}
          icon={<KeyRound aria-hidden />}
          onClick={() => {
            setPicking(!isSecret);
            if (reference !== undefined) setValue('');
          }}
        />
        <IconButton
          size="sm"
          label={name === '' ? `Remove the new ${noun}` : `Remove ${noun} ${name}`}
          icon={<X aria-hidden />}
          onClick={onRemove}
        />
      </div>
      {isSecret ? (
        <SecretField
          name={name}
          before={reference?.before ?? (/^authorization$/i.test(name) ? 'Bearer ' : '')}
          variable={reference?.name ?? secretReference(early)?.name}
          onChange={(next) => {
            setPicking(false);
            setValue(next);
          }}
        />
      ) : (
        <DraftInput
          aria-label={name === '' ? `Value of the new ${noun}` : `Value of ${name}`}
          late
          className="!h-7 font-mono !text-xs"
          value={name === '' ? early : value}
          placeholder={look.value}
          onCommit={setValue}
        />
      )}
      {fault === undefined ? null : (
        <p id={`${id}-fault`} className="text-bad text-xs">
          {fault}
        </p>
      )}
    </div>
  );
}

/** Picks a secret, or a variable of the installation. Another name can be typed; the checker says that it is neither. */
function SecretField(props: {
  readonly name: string;
  readonly before: string;
  readonly variable: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { name, before, variable, onChange } = props;
  const { projectEnv = [], secrets = [] } = useProject((state) => state.installation);
  const options = [...new Set([...secrets, ...projectEnv])].map((each) => ({ value: each, label: each }));
  return (
    <div className="flex min-w-0 items-center gap-1">
      {before === '' ? null : (
        <DraftInput
          aria-label={`Text before the variable of ${name}`}
          late
          className="!h-7 !w-20 font-mono !text-xs"
          value={before}
          onCommit={(text) => {
            if (variable !== undefined) onChange(secretValue({ before: text, name: variable }));
          }}
        />
      )}
      <PickOne
        size="sm"
        label={name === '' ? 'Variable' : `Variable of ${name}`}
        value={variable}
        options={options}
        freeText
        placeholder={options.length === 0 ? 'No secret is set; type a name' : 'Choose a variable'}
        onChange={(chosen) => {
          if (chosen !== undefined && /^[A-Za-z_]\w*$/.test(chosen)) onChange(secretValue({ before, name: chosen }));
        }}
      />
    </div>
  );
}
