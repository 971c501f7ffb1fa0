'use client';

import { useState } from 'react';
import { Field } from '@/components/ui/field';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { jsonEdits } from '@/lib/cards/edit/json-edits';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { DraftLines } from './draft-input';
import type { FieldPath } from './field-kinds';

/**
 * Edits a mapping as JSON. What is written are the keys that differ, so that comments of the others stay. Text that is no
 * object, or that the checker refuses, is not written.
 */
export function JsonInput(props: {
  readonly label: string;
  readonly hint?: string;
  readonly value: unknown;
  readonly path: FieldPath;
  readonly placeholder?: string;
  readonly onEdit: (edits: readonly YamlEdit[]) => void;
  readonly refuse: (value: Json | undefined) => string | undefined;
}) {
  const { label, hint, value, path, placeholder, onEdit, refuse } = props;
  const [fault, setFault] = useState<string>();
  const shown = value === undefined ? '' : JSON.stringify(value, null, 2);
  return (
    <Field label={label} hint={hint} error={fault}>
      {(ids) => (
        <DraftLines
          {...ids}
          late
          rows={Math.min(16, Math.max(3, shown.split('\n').length))}
          spellCheck={false}
          className="font-mono text-xs"
          value={shown}
          placeholder={placeholder}
          refuse={(text) => {
            if (text.trim() === '') return undefined;
            const parsed = parseJson(text);
            if (!isRecord(parsed))
              return 'This is not a JSON object, so it is not written. Check quotes, commas and brackets.';
            return refuse(parsed as Json);
          }}
          onFault={setFault}
          onCommit={(text) => onEdit(jsonEdits(path, value, text.trim() === '' ? undefined : parseJson(text)))}
        />
      )}
    </Field>
  );
}
