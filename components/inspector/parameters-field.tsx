'use client';

import type { CardField } from './field-kinds';
import { type FieldPlace, useField } from './field-place';
import { JsonInput } from './json-input';

/** Shows all request parameters as one JSON object, also those without a control of their own. */
export function ParametersField(props: {
  readonly place: FieldPlace;
  readonly field: CardField & { kind: 'parameters' };
}) {
  const { place, field } = props;
  const { value, path, edit, refuse } = useField(place, field);
  return (
    <JsonInput
      label={field.label}
      hint="Every request parameter, also those without a field."
      value={value}
      path={path}
      onEdit={edit}
      refuse={refuse}
      placeholder="{}"
    />
  );
}
