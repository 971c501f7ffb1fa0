import { isRecord } from '@/lib/base/json';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { ValueField } from './field-kinds';

/** What an entry of `function_tools` says besides the function. It is a mapping then, with the function as `entrypoint`. */
export const functionToolFields = [
  {
    kind: 'choice',
    path: ['variant'],
    label: 'Variant',
    options: ['code'],
    unset: 'function',
    hint: 'code: the model writes a program, which the function gets as one of its arguments.',
  },
  { kind: 'text', path: ['code_arg'], label: 'Code argument', placeholder: 'code' },
  { kind: 'text', path: ['language'], label: 'Language', placeholder: 'python' },
] as const satisfies readonly ValueField[];

export type FunctionToolKey = (typeof functionToolFields)[number]['path'][0];

/** An entry of `function_tools`, which may be one text, or a list of texts and mappings. */
export interface FunctionToolEntry {
  readonly path: readonly (string | number)[];
  readonly entrypoint: string;
  /** The keys of the entry. A text has none. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Finds the nth entry (counted from 1) of a function in the front matter of a card. */
export function findFunctionTool(document: unknown, entrypoint: string, nth = 1): FunctionToolEntry | undefined {
  const tools = isRecord(document) ? document.function_tools : undefined;
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [tools];
  const found = list.flatMap((entry, index): FunctionToolEntry[] => {
    const path = Array.isArray(tools) ? ['function_tools', index] : ['function_tools'];
    if (typeof entry === 'string') return entry.trim() === entrypoint ? [{ path, entrypoint: entry, options: {} }] : [];
    if (!isRecord(entry) || typeof entry.entrypoint !== 'string' || entry.entrypoint.trim() !== entrypoint) return [];
    const { entrypoint: written, ...options } = entry;
    return [{ path, entrypoint: written, options }];
  });
  return found[nth - 1] ?? found[0];
}

/** Returns the edit that sets an option; `undefined` removes it. An entry without options becomes a text again. */
export function functionToolEdit(
  { path, entrypoint, options }: FunctionToolEntry,
  key: FunctionToolKey,
  value: string | undefined,
): YamlEdit {
  const isMapping = Object.keys(options).length > 0;
  if (value === undefined) {
    const rest = Object.keys(options).filter((one) => one !== key);
    return rest.length > 0 ? { op: 'remove', path: [...path, key] } : { op: 'set', path, value: entrypoint };
  }
  if (isMapping) return { op: 'set', path: [...path, key], value };
  const entry = { entrypoint, [key]: value };
  return { op: 'set', path, value: path.length === 1 ? [entry] : entry };
}
