'use client';

import type { CardField } from './field-kinds';
import { type FieldPlace, useField } from './field-place';
import { Toggle } from './toggle';

/** A checkbox. The default value is not written. */
export function FlagField(props: { readonly place: FieldPlace; readonly field: CardField & { kind: 'flag' } }) {
  const { place, field } = props;
  const { value, fault, type } = useField(place, field);
  const isError = fault?.severity === 'error';
  const note = fault ? <span className={isError ? 'text-bad' : 'text-warn'}>{fault.message}</span> : field.hint;
  return (
    <Toggle
      label={field.label}
      checked={typeof value === 'boolean' ? value : field.fallback}
      invalid={isError}
      onChange={(on) => type(on === field.fallback ? undefined : on)}
      {...(note === undefined ? {} : { note })}
    />
  );
}
