'use client';

import { type ReactNode, useState } from 'react';
import { isRecord } from '@/lib/base/json';
import { parseTarget, targetName } from '@/lib/cards/target';
import { type Connected, connectionsIn } from './connection-keys';
import { EntryHead } from './entry-head';
import { below, type CardField, type FieldPath } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, useField } from './field-place';
import { removeEdit } from './list-edits';
import { connectionFields } from './server-fields';
import { TypedEntry } from './typed-entry';

/** Shows a field of an entry. */
export type ShowField = (field: CardField) => ReactNode;

/** Edits the servers that a card defines itself, written as a list or as a mapping of names. */
export function ConnectionsField(props: {
  readonly place: FieldPlace;
  readonly field: CardField & { kind: 'connections' };
  readonly show: ShowField;
}) {
  const { place, field, show } = props;
  const { path, value, fault, edit } = useField(place, field);
  const [typing, setTyping] = useState<string>();
  const entries = connectionsIn(value);
  const add = (text: string) => {
    const target = parseTarget(text);
    if (!target.ok) {
      setTyping(target.error);
      return false;
    }
    setTyping(undefined);
    const name = freeName(targetName(target.value) ?? 'server', entries);
    const entry = { target: text };
    if (isRecord(value)) edit([{ op: 'set', path: [...path, name], value: entry }]);
    else edit([{ op: 'insert', path, index: entries.length, value: { name, ...entry } }]);
    return true;
  };
  return (
    <div className="flex flex-col gap-2">
      {entries.map(({ key, name }, index) => (
        <Connection
          // biome-ignore lint/suspicious/noArrayIndexKey: a renamed entry keeps its place, and so its field the focus
          key={index}
          place={place}
          path={[...path, key]}
          name={name}
          inList={typeof key === 'number'}
          show={show}
          onRemove={() =>
            edit([
              typeof key === 'number'
                ? removeEdit(path, value, key, false)
                : { op: 'remove', path: entries.length > 1 ? [...path, key] : path },
            ])
          }
        />
      ))}
      <FieldNote label={entries.length === 0 ? field.label : 'Another target'} fault={fault} typing={typing}>
        {(ids) => <TypedEntry {...ids} noun="target" placeholder="https://example.com/mcp" onAdd={add} />}
      </FieldNote>
    </div>
  );
}

function Connection(props: {
  readonly place: FieldPlace;
  readonly path: FieldPath;
  readonly name: string;
  readonly inList: boolean;
  readonly show: ShowField;
  readonly onRemove: () => void;
}) {
  const { place, path, name, inList, show } = props;
  const field: CardField = { kind: 'text', path: inList ? [...path, 'name'] : path, label: 'Name' };
  const { edit } = useField(place, field);
  return (
    <section aria-label={`Target ${name}`} className="flex flex-col gap-3 rounded border p-2">
      <EntryHead
        name={name}
        onRename={(key) => edit([inList ? { op: 'set', path: field.path, value: key } : { op: 'rename', path, key }])}
        onRemove={props.onRemove}
      />
      {connectionFields.map((one) => (
        <div key={one.path.join('.')}>{show(below(path, one))}</div>
      ))}
    </section>
  );
}

function freeName(stem: string, entries: readonly Connected[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!entries.some((entry) => entry.name === name)) return name;
  }
}
