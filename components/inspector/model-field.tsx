'use client';

import { ModelPicker } from '@/components/marks/model-picker';
import type { CardField } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, setEdit, useField } from './field-place';
import { textsIn } from './field-values';

/** Chooses the model of a card, or leaves it to the default of the project. */
export function ModelField(props: { readonly place: FieldPlace; readonly field: CardField & { kind: 'model' } }) {
  const { place, field } = props;
  const { path, value, fault, edit } = useField(place, field);
  return (
    <FieldNote label={field.label} hint={field.hint} fault={fault}>
      {(ids) => (
        <ModelPicker
          {...ids}
          label={field.label}
          value={textsIn(value)[0]}
          none={field.unset}
          onChange={(model) => edit([setEdit(path, model)])}
        />
      )}
    </FieldNote>
  );
}
