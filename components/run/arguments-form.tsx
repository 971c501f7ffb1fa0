'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';

export interface ArgumentsFormProps {
  /** The arguments as JSON text, which need not be valid while somebody types. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Edits the arguments of a call: one field for each, or all of them as JSON. */
export function ArgumentsForm({ text, onText }: ArgumentsFormProps) {
  const [asJson, setAsJson] = useState(false);
  const value = parseJson(text);
  const args = isObject(value) ? value : undefined;
  const isForm = !asJson && args !== undefined;
  return (
    <section aria-label="Arguments" className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 font-medium text-ink text-sm">Arguments</h3>
        <Button size="sm" aria-pressed={isForm} disabled={args === undefined} onClick={() => setAsJson(false)}>
          Form
        </Button>
        <Button size="sm" aria-pressed={!isForm} onClick={() => setAsJson(true)}>
          JSON
        </Button>
      </div>
      {isForm ? (
        Object.entries(args).map(([name, one]) => (
          <ArgumentField
            key={name}
            name={name}
            value={one}
            onChange={(next) => onText(JSON.stringify({ ...args, [name]: next }, null, 2))}
          />
        ))
      ) : (
        <Textarea
          aria-label="Arguments as JSON"
          rows={8}
          className="font-mono text-xs"
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      )}
    </section>
  );
}

interface ArgumentFieldProps {
  readonly name: string;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
}

/** A text is edited as it is, everything else as JSON. */
function ArgumentField({ name, value, onChange }: ArgumentFieldProps) {
  const isText = typeof value === 'string';
  const [typed, setTyped] = useState(isText ? value : JSON.stringify(value));
  const parsed = isText ? typed : parseJson(typed);
  return (
    <Field label={name} error={parsed === undefined ? 'This is not JSON yet.' : undefined}>
      {(ids) => (
        <Textarea
          {...ids}
          rows={typed.length > 80 ? 4 : 1}
          className={isText ? undefined : 'font-mono text-xs'}
          value={typed}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setTyped(next);
            const read = isText ? next : parseJson(next);
            if (read !== undefined) onChange(read);
          }}
        />
      )}
    </Field>
  );
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
