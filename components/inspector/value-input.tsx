'use client';

import { type ComponentProps, useState } from 'react';
import type { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { DraftInput, DraftLines } from './draft-input';
import type { ValueField } from './field-kinds';
import { FieldNote } from './field-note';
import { useField, type ValuePlace } from './field-place';
import { shownText, typedValue } from './field-values';

/**
 * Shows a field that is edited as text, as a number or as a choice. Text that is no value of the field is not written. It
 * stays in the field, and the checker's sentence about it is shown.
 */
export function ValueFieldInput(props: { readonly place: ValuePlace; readonly field: ValueField }) {
  const { place, field } = props;
  const open = useField(place, field);
  const [fault, setFault] = useState<string>();
  const refuse = (text: string) => {
    const typed = typedValue(field, text);
    if ('fault' in typed) return typed.fault;
    return typed.value === undefined ? undefined : open.refuse(typed.value);
  };
  const commit = (text: string) => {
    const typed = typedValue(field, text);
    if ('value' in typed) open.type(typed.value);
  };
  return (
    <FieldNote label={field.label} hint={field.hint} fault={open.fault} typing={fault}>
      {(ids) => (
        <ValueInput
          {...{ ids, field, refuse, commit }}
          shown={shownText(field, open.value)}
          onFault={setFault}
          onClear={() => open.type(undefined)}
        />
      )}
    </FieldNote>
  );
}

/** The control of a field. `mixed` is shown instead of a value that is not the same everywhere. */
export function ValueInput(props: {
  readonly ids: Parameters<ComponentProps<typeof Field>['children']>[0];
  readonly field: ValueField;
  readonly shown: string;
  readonly mixed?: string | undefined;
  readonly refuse: (text: string) => string | undefined;
  readonly commit: (text: string) => void;
  readonly onFault: (fault: string | undefined) => void;
  readonly onClear: () => void;
}) {
  const { ids, field, shown, mixed, refuse, commit, onFault } = props;
  const draft = { ...ids, value: shown, refuse, onFault, onCommit: commit };
  switch (field.kind) {
    case 'text':
      return <DraftInput {...draft} placeholder={field.placeholder} />;
    case 'secret':
      return <DraftInput {...draft} type="password" autoComplete="off" placeholder={field.placeholder} />;
    case 'lines':
      return <DraftLines {...draft} rows={3} placeholder={field.placeholder} />;
    case 'number':
      return (
        <DraftInput
          {...draft}
          className="tabular"
          inputMode={field.whole ? 'numeric' : 'decimal'}
          placeholder={mixed ?? field.placeholder}
        />
      );
    case 'strings':
      return <DraftLines {...draft} late rows={2} className="font-mono text-xs" spellCheck={false} />;
    case 'json':
      return (
        <DraftLines
          {...draft}
          late
          rows={shown === '' ? 2 : 6}
          className="font-mono text-xs"
          spellCheck={false}
          placeholder={field.placeholder}
        />
      );
    case 'choice':
    case 'yes-no': {
      const own = optionsOf(field, shown);
      const options = mixed === undefined ? own : [{ value: isMixed, label: mixed }, ...own];
      return (
        <Select
          {...ids}
          value={mixed === undefined ? shown || notSet : isMixed}
          options={options}
          onValueChange={(value) => {
            if (value === notSet) props.onClear();
            else if (value !== isMixed) commit(value);
          }}
        />
      );
    }
  }
}

/** No word of a card is written with a blank. */
const notSet = ' ';
const isMixed = '  ';

function optionsOf(field: ValueField & { readonly kind: 'choice' | 'yes-no' }, shown: string) {
  const words =
    field.kind === 'choice'
      ? field.options.map((value) => ({ value, label: value }))
      : [
          { value: 'true', label: 'yes' },
          { value: 'false', label: 'no' },
        ];
  const isWord = words.some(({ value }) => value === field.unset);
  // Choosing the default removes the field. A card that has the default written keeps it until another word is chosen.
  const all = isWord
    ? words.map((word) => (word.value === field.unset && shown !== word.value ? { ...word, value: notSet } : word))
    : [{ value: notSet, label: field.kind === 'choice' ? field.unset : `${field.unset} (default)` }, ...words];
  return shown === '' || all.some(({ value }) => value === shown) ? all : [...all, { value: shown, label: shown }];
}
