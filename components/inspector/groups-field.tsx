'use client';

import { useState } from 'react';
import { isRecord } from '@/lib/base/json';
import type { ShowField } from './connections-field';
import { EntryHead } from './entry-head';
import { below, type CardField } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, useField } from './field-place';
import { groupFields } from './group-fields';
import { TypedEntry } from './typed-entry';

/** Edits the tool groups of an agent, by name. */
export function GroupsField(props: {
  readonly place: FieldPlace;
  readonly field: CardField & { kind: 'groups' };
  readonly show: ShowField;
}) {
  const { place, field, show } = props;
  const { path, value, fault, edit } = useField(place, field);
  const [typing, setTyping] = useState<string>();
  const names = isRecord(value) ? Object.keys(value) : [];
  const nameFault = (name: string) => (names.includes(name) ? `There is a group '${name}' already.` : undefined);
  return (
    <div className="flex flex-col gap-2">
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a renamed group keeps its place, and so its field the focus
        <section key={index} aria-label={`Group ${name}`} className="flex flex-col gap-3 rounded border p-2">
          <EntryHead
            name={name}
            onRename={(key) => {
              if (nameFault(key) === undefined) edit([{ op: 'rename', path: [...path, name], key }]);
            }}
            onRemove={() => edit([{ op: 'remove', path: [...path, name] }])}
          />
          {groupFields.map((one) => (
            <div key={one.path.join('.')}>{show(below([...path, name], one))}</div>
          ))}
        </section>
      ))}
      <FieldNote label={names.length === 0 ? field.label : 'Another group'} fault={fault} typing={typing}>
        {(ids) => (
          <TypedEntry
            {...ids}
            noun="group"
            placeholder="experts"
            onAdd={(name) => {
              setTyping(nameFault(name));
              if (nameFault(name) !== undefined) return false;
              edit([{ op: 'set', path: [...path, name], value: { tools: [] } }]);
              return true;
            }}
          />
        )}
      </FieldNote>
    </div>
  );
}
