'use client';

import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { Json } from '@/lib/base/json';
import type { ArgumentFieldOf, Choice } from './argument-fields';

export interface ChoiceFieldProps {
  readonly field: ArgumentFieldOf;
  readonly choices: readonly Choice[];
  /** What is wrong with the choice. */
  readonly fault?: string | undefined;
  /** `undefined`: the field is left out. */
  readonly onChange: (chosen: Json | undefined) => void;
}

const none = 'none';

/** Takes one of the values of an enumeration, yes or no, or several values of a list. */
export function ChoiceField({ field, choices, fault, onChange }: ChoiceFieldProps) {
  const { label, hint, value, isRequired, isList } = field;
  if (isList) {
    const taken = Array.isArray(value) ? value.map((one: Json) => JSON.stringify(one)) : [];
    return (
      <fieldset className="flex flex-col gap-1">
        <legend className="font-medium text-muted text-xs">{label}</legend>
        {choices.map((choice) => {
          const key = JSON.stringify(choice.value);
          const isTaken = taken.includes(key);
          return (
            <div key={key} className="flex items-center gap-1 text-ink text-sm">
              <Checkbox
                label={choice.label}
                checked={isTaken}
                onToggle={() =>
                  onChange(
                    choices
                      .filter((one) => (one === choice ? !isTaken : taken.includes(JSON.stringify(one.value))))
                      .map((one) => one.value),
                  )
                }
              />
              <span aria-hidden>{choice.label}</span>
            </div>
          );
        })}
        {(fault ?? hint) !== undefined && (
          <p className={fault === undefined ? 'text-faint text-xs' : 'text-bad text-xs'}>{fault ?? hint}</p>
        )}
      </fieldset>
    );
  }
  // An index stands for a value, because values need not be texts.
  const at = choices.findIndex((one) => JSON.stringify(one.value) === JSON.stringify(value));
  const options = choices.map((one, index) => ({ value: String(index), label: one.label }));
  return (
    <Field label={label} hint={hint} error={fault}>
      {(ids) => (
        <Select
          {...ids}
          value={at === -1 ? (isRequired ? undefined : none) : String(at)}
          placeholder="Choose"
          options={isRequired ? options : [{ value: none, label: 'Not given' }, ...options]}
          onValueChange={(chosen) => onChange(chosen === none ? undefined : choices[Number(chosen)]?.value)}
        />
      )}
    </Field>
  );
}
