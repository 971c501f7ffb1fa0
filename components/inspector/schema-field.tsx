'use client';

import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Select } from '@/components/ui/select';
import { isRecord, type Json } from '@/lib/base/json';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { DraftInput, DraftLines } from './draft-input';
import type { FieldFault } from './field-faults';
import type { CardField, FieldPath } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, setEdit, useField } from './field-place';
import { JsonInput } from './json-input';
import {
  addProperty,
  enumLines,
  nameFault,
  propertiesOf,
  removeProperty,
  renameProperty,
  type SchemaProperty,
  schemaTypes,
  setEnum,
  setRequired,
  setType,
  typeOf,
} from './schema-edits';
import { Toggle } from './toggle';

/** Edits the schema of a card's input. */
export function SchemaField(props: { readonly place: FieldPlace; readonly field: CardField & { kind: 'schema' } }) {
  const { place, field } = props;
  const open = useField(place, field);
  return (
    <FieldNote label={field.label} hint={field.hint} fault={open.fault}>
      {() => (
        <SchemaEditor
          label={field.label}
          at={open.path}
          schema={open.value}
          faults={place.faults}
          onEdit={open.edit}
          refuse={open.refuse}
        />
      )}
    </FieldNote>
  );
}

/** Edits a JSON schema of an object, as a list of properties or as JSON. Both write the same keys. */
export function SchemaEditor(
  props: NodeProps & { readonly label: string; readonly refuse: (value: Json | undefined) => string | undefined },
) {
  const { label, at, schema, faults, onEdit, refuse } = props;
  const [asJson, setAsJson] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      {asJson ? (
        <JsonInput
          label={`${label} as JSON`}
          value={schema}
          path={at}
          onEdit={onEdit}
          refuse={refuse}
          placeholder={'{ "type": "object", "properties": {} }'}
        />
      ) : (
        <Properties label={label} at={at} schema={schema} isRoot faults={faults} onEdit={onEdit} />
      )}
      <Button size="sm" variant="ghost" className="-ml-2.5 self-start" onClick={() => setAsJson(!asJson)}>
        {asJson ? 'Show properties' : 'Show JSON'}
      </Button>
    </div>
  );
}

interface NodeProps {
  readonly at: FieldPath;
  readonly schema: unknown;
  readonly faults: ReadonlyMap<string, FieldFault>;
  readonly onEdit: (edits: readonly YamlEdit[]) => void;
}

/** The properties of an object schema. */
function Properties(props: NodeProps & { readonly label: string; readonly isRoot?: boolean }) {
  const { label, at, schema, isRoot = false, onEdit } = props;
  const [added, setAdded] = useState<string>();
  const list = propertiesOf(schema);
  return (
    <div className="flex flex-col gap-1.5">
      {list.length === 0 ? null : (
        <ul aria-label={`Properties of ${label}`} className="divide-y rounded border">
          {list.map((property, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a renamed property keeps its place, and so its field the focus
            <li key={index}>
              <Property {...props} isRoot={isRoot} property={property} isNew={property.name === added} />
            </li>
          ))}
        </ul>
      )}
      <Button
        size="sm"
        className="self-start"
        icon={<Plus aria-hidden className="size-3.5" />}
        onClick={() => {
          const { name, edits } = addProperty(at, schema);
          setAdded(name);
          onEdit(edits);
        }}
      >
        Add property
      </Button>
    </div>
  );
}

function Property(
  props: NodeProps & { readonly property: SchemaProperty; readonly isRoot: boolean; readonly isNew: boolean },
) {
  const { at, schema, faults, onEdit, property, isRoot, isNew } = props;
  const { name, required } = property;
  const [open, setOpen] = useState(isNew);
  const [fault, setFault] = useState<string>();
  const path = [...at, 'properties', name];
  const id = useId();
  const issue = faults.get(path.join('.'));
  const note = fault ?? issue?.message;
  return (
    <div className="flex flex-col gap-2 p-1.5">
      <div className="flex items-center gap-1">
        <DraftInput
          aria-label="Property name"
          aria-describedby={note === undefined ? undefined : id}
          aria-invalid={fault !== undefined || issue?.severity === 'error' || undefined}
          autoFocus={isNew}
          late
          className="!h-7 min-w-0 flex-1 font-mono !text-xs"
          value={name}
          refuse={(text) => nameFault(schema, name, text.trim())}
          onFault={setFault}
          onCommit={(text) => onEdit(renameProperty(at, schema, name, text.trim()))}
        />
        <span className="w-24 shrink-0">
          <TypeSelect label={`Type of ${name}`} at={path} schema={property.schema} onEdit={onEdit} />
        </span>
        <IconButton
          size="sm"
          label={open ? `Close ${name}` : `Details of ${name}`}
          aria-expanded={open}
          icon={open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          onClick={() => setOpen(!open)}
        />
        <IconButton
          size="sm"
          label={`Remove ${name}`}
          icon={<X aria-hidden />}
          onClick={() => onEdit(removeProperty(at, schema, name, isRoot))}
        />
      </div>
      {note === undefined ? null : (
        <p
          id={id}
          className={`text-xs ${fault === undefined && issue?.severity !== 'error' ? 'text-warn' : 'text-bad'}`}
        >
          {note}
        </p>
      )}
      {open ? (
        <div className="flex flex-col gap-2 pl-2">
          <Toggle
            label={`${name} is required`}
            checked={required}
            onChange={(on) => onEdit(setRequired(at, schema, name, on))}
          />
          <SchemaDetails label={name} at={path} schema={property.schema} faults={faults} onEdit={onEdit} />
        </div>
      ) : (
        <Summary property={property} />
      )}
    </div>
  );
}

function Summary({ property: { required, schema } }: { readonly property: SchemaProperty }): ReactNode {
  const words = [required ? 'required' : '', typeof schema.description === 'string' ? schema.description : ''];
  const text = words.filter((word) => word !== '').join(' · ');
  return text === '' ? null : <p className="truncate px-1 text-faint text-xs">{text}</p>;
}

/** What a schema has beside its name and type: description, words, and what is inside it. */
function SchemaDetails(props: NodeProps & { readonly label: string }) {
  const { label, at, schema, faults, onEdit } = props;
  const type = typeOf(schema);
  const words = enumLines(schema);
  const description = isRecord(schema) && typeof schema.description === 'string' ? schema.description : '';
  return (
    <>
      <Field label={`Description of ${label}`}>
        {(ids) => (
          <DraftInput
            {...ids}
            late
            value={description}
            placeholder="What the model reads"
            onCommit={(text) => onEdit([setEdit([...at, 'description'], text.trim() || undefined)])}
          />
        )}
      </Field>
      {type === 'string' && words !== undefined ? (
        <Field label={`Allowed words of ${label}`} hint="One per line; empty: any text.">
          {(ids) => (
            <DraftLines
              {...ids}
              late
              rows={2}
              className="min-h-12 font-mono text-xs"
              value={words}
              onCommit={(text) => onEdit(setEnum(at, schema, text))}
            />
          )}
        </Field>
      ) : null}
      {type === 'object' ? <Properties label={label} at={at} schema={schema} faults={faults} onEdit={onEdit} /> : null}
      {type === 'array' && isRecord(schema) ? (
        <Items label={label} at={[...at, 'items']} schema={schema.items} faults={faults} onEdit={onEdit} />
      ) : null}
    </>
  );
}

/** The schema of the entries of an array. */
function Items({ label, ...node }: NodeProps & { readonly label: string }) {
  return (
    <FieldNote label={`Entries of ${label}`} fault={undefined}>
      {(ids) => (
        <div className="flex flex-col gap-2">
          <TypeSelect {...node} id={ids.id} label={`Type of entries of ${label}`} />
          {typeOf(node.schema) === 'object' || typeOf(node.schema) === 'array' ? (
            <SchemaDetails {...node} label={`entries of ${label}`} />
          ) : null}
        </div>
      )}
    </FieldNote>
  );
}

function TypeSelect(
  props: Pick<NodeProps, 'at' | 'schema' | 'onEdit'> & { readonly label: string; readonly id?: string },
) {
  const { at, schema, onEdit, label, id } = props;
  return (
    <Select
      {...(id === undefined ? { 'aria-label': label } : { id })}
      size="sm"
      value={typeOf(schema) ?? 'any'}
      options={['any', ...schemaTypes].map((value) => ({ value, label: value }))}
      onValueChange={(value) =>
        onEdit(
          setType(
            at,
            schema,
            schemaTypes.find((type) => type === value),
          ),
        )
      }
    />
  );
}
