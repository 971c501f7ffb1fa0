import { z } from 'zod';
import { isRecord } from '@/lib/base/json';
import { memberOf } from '@/lib/base/record-of';
import type { CardType } from '@/lib/cards/card';
import { declarativeKinds } from '@/lib/cards/hook-settings';
import { fieldNames } from '@/lib/cards/read/card-fields';
import { configWords, type FieldWords, fieldWords } from '@/lib/cards/read/field-words';
import { settingsWords } from '@/lib/cards/read/settings-words';
import { settingsSchema } from '@/lib/cards/settings';
import type { CodePlace } from './code-place';

/** The fields that a file may have, as a tree. */
export type FieldTree = FieldWords;

const cardTrees = new Map<CardType, FieldTree>();

export function cardTree(type: CardType): FieldTree {
  const known = cardTrees.get(type);
  if (known !== undefined) return known;
  const own = fieldNames(type).flatMap((field) => {
    const words = fieldWords[field];
    return words === undefined ? [] : [[field, words] as const];
  });
  const tree: FieldTree = { text: '', fields: Object.fromEntries(own) };
  cardTrees.set(type, tree);
  return tree;
}

export const configTree: FieldTree = configWords;

let settings: FieldTree | undefined;

/** The keys of callboard.yaml, from its schema. It is made at the first use, because that takes a few milliseconds. */
export function settingsTree(): FieldTree {
  settings ??= treeOf(jsonSchemaOf(settingsSchema), '');
  return settings;
}

/** Returns the words about a place. An entry of a list of names has those of the list. */
export function fieldAt(tree: FieldTree, path: CodePlace['path']): FieldTree | undefined {
  let node: FieldTree | undefined = tree;
  for (const step of path) {
    if (node === undefined) return undefined;
    const own: FieldTree | undefined =
      node.fields !== undefined && Object.hasOwn(node.fields, step) ? node.fields[step] : undefined;
    if (step === '-') node = node.each ?? (node.list ? { ...node, list: undefined } : undefined);
    else node = own ?? node.each;
  }
  return node;
}

function jsonSchemaOf(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const member = memberOf(zodSchema);
      if (member !== undefined) Object.assign(jsonSchema, { additionalProperties: jsonSchemaOf(member) });
    },
  });
}

/** Converts a JSON schema to words. Paths have `*` for names and entries, as in the table of words. */
function treeOf(schema: unknown, path: string): FieldTree {
  const words = settingsWords[path] ?? settingsWords[path.replace(/^delegation_defaults/, 'delegations.*.*')];
  const below = (step: string) => (path === '' ? step : `${path}.${step}`);
  const shapes = shapesOf(schema);
  const fields = shapes.flatMap(({ properties }) =>
    isRecord(properties) ? Object.entries(properties).map(([key, one]) => [key, treeOf(one, below(key))] as const) : [],
  );
  const list = shapes.find(({ items }) => isRecord(items));
  const mapping = shapes.find(({ additionalProperties }) => isRecord(additionalProperties));
  const options = shapes.flatMap(({ enum: values, const: only }) => [
    ...(Array.isArray(values) ? values : []),
    ...(only === undefined ? [] : [only]),
  ]);
  const isFlag = shapes.some(({ type }) => type === 'boolean');
  const isHooks = words?.of === 'middleware' && words.list;
  return {
    text: '',
    ...(isFlag && { of: 'boolean' as const }),
    ...words,
    ...(list !== undefined && { list: true as const }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(options.length > 0 && { options: options.map(String) }),
    ...(list !== undefined && words?.of === undefined && { each: treeOf(list.items, below('*')) }),
    ...(mapping !== undefined && { each: treeOf(mapping.additionalProperties, below('*')) }),
    ...(isHooks && { each: hookTree }),
  };
}

/** Returns the schema itself, or those of its alternatives. */
function shapesOf(schema: unknown): readonly Record<string, unknown>[] {
  if (!isRecord(schema)) return [];
  const others = schema.anyOf ?? schema.oneOf;
  return Array.isArray(others) ? others.flatMap(shapesOf) : [schema];
}

/** An entry of a chain: a function, or one of the hooks without code (docs/hooks.md). */
const hookTree: FieldTree = {
  text: 'A function as file.py:function, or a hook without code.',
  of: 'middleware',
  fields: {
    ...Object.fromEntries(declarativeKinds.map((kind) => [kind, { text: hookWords(kind) }])),
    code: { text: 'A function as file.py:function, where enabled has to be said too.' },
    enabled: { text: 'False: the hook stays in the file, and every run skips it.', of: 'boolean' },
  },
};

function hookWords(kind: (typeof declarativeKinds)[number]): string {
  const words: Record<typeof kind, string> = {
    block: 'Refuses the call.',
    clamp: 'Moves a number that is out of range to the nearest end: argument, min, max.',
    rename: 'Renames an argument: from, to.',
    default: 'Fills in an argument that is absent: argument, value.',
    redact: 'Replaces matches of patterns, or values of keys: patterns, keys, in.',
    truncate: 'Cuts the text of a result: max_chars.',
    rate_limit: 'At most so many calls in any window: calls, per_ms.',
    retry: 'Repeats a failed call: attempts, delay_ms.',
    cache: 'Equal calls share a result: ttl_ms.',
    log: 'Writes a log event: level, message.',
  };
  return words[kind];
}
