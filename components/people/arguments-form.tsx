'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { HiddenNote } from '@/components/ui/hidden-note';
import { Textarea } from '@/components/ui/input';
import { parseWithDigits } from '@/lib/base/exact-json';
import { isRecord, type JsonObject } from '@/lib/base/json';
import { type ArgumentFieldOf, argumentFields, withChoice, withField } from './argument-fields';
import { ChoiceField } from './choice-field';

export interface ArgumentsFormProps {
  /** The arguments as JSON text, which need not be valid while somebody types. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The JSON Schema of the arguments: for labels, hints, and fields that the arguments do not have. */
  readonly form?: JsonObject | undefined;
  readonly title?: string;
  /** What is wrong with fields, by their names. */
  readonly faults?: Readonly<Record<string, string>>;
}

/** Edits the arguments of a call: one field for each, or all of them as JSON. */
export function ArgumentsForm({ text, onText, form, title = 'Arguments', faults = {} }: ArgumentsFormProps) {
  const [asJson, setAsJson] = useState(false);
  const value = parseWithDigits(text);
  const args = isObject(value) ? value : undefined;
  const isForm = !asJson && args !== undefined;
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 font-medium text-ink text-sm">{title}</h3>
        <Button size="sm" aria-pressed={isForm} disabled={args === undefined} onClick={() => setAsJson(false)}>
          Form
        </Button>
        <Button size="sm" aria-pressed={!isForm} onClick={() => setAsJson(true)}>
          JSON
        </Button>
      </div>
      {isForm ? (
        argumentFields(form, args).map((field) =>
          field.choices === undefined ? (
            <ArgumentField
              key={field.name}
              field={field}
              fault={faultOf(faults, field.name)}
              onChange={(typed) => {
                const next = withField(args, field, typed);
                if (next !== undefined) onText(JSON.stringify(next, null, 2));
                return next !== undefined;
              }}
            />
          ) : (
            <ChoiceField
              key={field.name}
              field={field}
              fault={faultOf(faults, field.name)}
              choices={field.choices}
              onChange={(chosen) => onText(JSON.stringify(withChoice(args, field.name, chosen), null, 2))}
            />
          ),
        )
      ) : (
        <>
          <Textarea
            aria-label={`${title} as JSON`}
            rows={8}
            className="font-mono text-xs"
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
          />
          <HiddenNote text={text} />
        </>
      )}
    </section>
  );
}

function faultOf(faults: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(faults, name) ? faults[name] : undefined;
}

interface ArgumentFieldProps {
  readonly field: ArgumentFieldOf;
  readonly fault: string | undefined;
  /** Returns false if the text is not JSON. */
  readonly onChange: (typed: string) => boolean;
}

/** A text is edited as it is, everything else as JSON. */
function ArgumentField({ field, fault, onChange }: ArgumentFieldProps) {
  const { label, hint, value } = field;
  // Whether it is a text must not change while somebody types.
  const [isText] = useState(field.isText);
  const [typed, setTyped] = useState(
    typeof value === 'string' && isText ? value : value === undefined ? '' : JSON.stringify(value),
  );
  const [isJson, setIsJson] = useState(true);
  return (
    <div className="flex flex-col gap-1">
      <Field label={label} hint={hint} error={isJson ? fault : 'This is not JSON yet.'}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="auto"
            rows={typed.length > 80 ? 4 : 1}
            className={isText ? 'min-h-8' : 'min-h-8 font-mono text-xs'}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setIsJson(onChange(event.currentTarget.value));
            }}
          />
        )}
      </Field>
      <HiddenNote text={typed} />
    </div>
  );
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
