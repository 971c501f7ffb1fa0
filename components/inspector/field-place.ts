'use client';

import { useMemo } from 'react';
import { useProject, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import type { Json } from '@/lib/base/json';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { fieldOf, readDocument } from '@/lib/cards/read/read-field';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { fieldEdits } from '@/lib/editor/card-commands';
import { textAt } from '@/lib/editor/document';
import { type FieldFault, faultInText } from './field-faults';
import type { CardField, FieldPath } from './field-kinds';
import { writtenPath } from './field-values';

/** The file whose fields a form edits, and whose they are. */
export interface ValuePlace {
  readonly file: string;
  /** Whom the fields are about, for the names of undo steps. */
  readonly owner: string;
  /** The content of the file, as it is written. */
  readonly document: unknown;
  /** What the checker says of fields, by path. */
  readonly faults: ReadonlyMap<string, FieldFault>;
}

/** The fields of an agent: in its card, or in `callboard.yaml`. */
export interface FieldPlace extends ValuePlace {
  readonly card: Card;
}

/** Returns the content of a YAML file or of a card's front matter, as it is written. */
export function useDocument(file: string): unknown {
  const text = useProject((state) => textAt(state.document.folder, file));
  return useMemo(() => (text === undefined ? undefined : readDocument(text, file)), [text, file]);
}

/** A field of a form with its value, and the ways to change it. */
export interface OpenField {
  readonly path: FieldPath;
  readonly value: unknown;
  readonly fault: FieldFault | undefined;
  /** Writes a value that was typed; `undefined` removes the field. */
  readonly type: (value: Json | undefined) => void;
  /** Makes edits as one undo step. */
  readonly edit: (edits: readonly YamlEdit[]) => void;
  /** Returns what the checker would say of a value, if it is an error. The value is not written. */
  readonly refuse: (value: Json | undefined) => string | undefined;
}

export function useField(place: ValuePlace, field: CardField): OpenField {
  const commands = useCommands();
  const read = useReadProject();
  const { file, owner, document, faults } = place;
  const path = writtenPath(document, field.path);
  const label = `${field.label} of ${owner}`;
  return {
    path,
    value: fieldOf(document, path) ?? undefined,
    fault: faults.get(field.path.join('.')),
    type: (value) => commands.editFields(file, [setEdit(path, value)], { label, typed: true }),
    edit: (edits) => commands.editFields(file, edits, { label }),
    refuse: (value) => faultOfEdit(read().document.folder, file, path, value),
  };
}

/** Returns what the checker would say of a value at a path of a file, if it is an error. */
export function faultOfEdit(
  folder: Folder,
  file: string,
  path: FieldPath,
  value: Json | undefined,
): string | undefined {
  const edited = fieldEdits(folder, file, [setEdit(path, value)]);
  if (!edited.ok) return edited.error.message;
  const text = edited.value.get(file);
  return typeof text === 'string' ? faultInText(file, text, path) : undefined;
}

export function setEdit(path: FieldPath, value: Json | undefined): YamlEdit {
  return value === undefined ? { op: 'remove', path } : { op: 'set', path, value };
}
