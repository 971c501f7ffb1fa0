import type { Json } from '@/lib/base/json';
import type { CardType } from '@/lib/cards/card';
import { fieldOf } from '@/lib/cards/read/read-field';
import type { FileEdits } from '@/lib/editor/card-commands';
import { cardFields } from './card-fields';
import type { CardField, FieldGroup, FieldPath, ValueField } from './field-kinds';
import { setEdit } from './field-place';
import { writtenPath } from './field-values';

/** The fields that several agents have in common, and their values side by side. */

/** A card and its content as it is written. */
export interface WrittenCard {
  readonly file: string;
  readonly document: unknown;
}

/** A field that is edited for several cards at once. */
export type SharedField = ValueField | (CardField & { readonly kind: 'model' });

export interface SharedGroup extends Omit<FieldGroup, 'fields'> {
  readonly fields: readonly SharedField[];
}

/** What makes an agent this one and no other. */
const single: ReadonlySet<string | number | undefined> = new Set(['type', 'default']);

/** Returns the fields that cards of all these types have and that can be set for all of them: models, numbers and choices. */
export function sharedFields(types: readonly CardType[]): readonly SharedGroup[] {
  const [first, ...others] = [...new Set(types)];
  if (first === undefined) return [];
  const known = others.map((type) => new Set(cardFields(type).flatMap(({ fields }) => fields.map(keyOf))));
  return cardFields(first).flatMap((group) => {
    const fields = group.fields
      .filter((field) => !single.has(field.path[0]) && known.every((keys) => keys.has(keyOf(field))))
      .flatMap(asShared);
    return fields.length === 0 ? [] : [{ ...group, fields }];
  });
}

function keyOf({ kind, path }: CardField): string {
  return `${kind} ${path.join('.')}`;
}

function asShared(field: CardField): readonly SharedField[] {
  switch (field.kind) {
    case 'model':
    case 'number':
    case 'choice':
    case 'yes-no':
      return [field];
    case 'flag': {
      const { fallback, ...rest } = field;
      // A box that is checked for some and not for others would say neither.
      return [{ ...rest, kind: 'yes-no', unset: fallback ? 'yes' : 'no' }];
    }
    default:
      return [];
  }
}

export type SharedValue = { readonly is: 'same'; readonly value: unknown } | { readonly is: 'different' };

/** Returns the value that all cards have at a path, if they agree. A card without the field has `undefined`. */
export function sharedValue(cards: readonly WrittenCard[], path: FieldPath): SharedValue {
  const values = cards.map(({ document }) => fieldOf(document, writtenPath(document, path)) ?? undefined);
  const [first] = values;
  const isSame = values.every((value) => JSON.stringify(value) === JSON.stringify(first));
  return isSame ? { is: 'same', value: first } : { is: 'different' };
}

/** Returns the edits that give all cards a value, or none (`undefined`). */
export function sharedEdits(cards: readonly WrittenCard[], path: FieldPath, value: Json | undefined): FileEdits[] {
  return cards.map(({ file, document }) => ({ file, edits: [setEdit(writtenPath(document, path), value)] }));
}
