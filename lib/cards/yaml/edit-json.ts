import { isMap, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { expectedAfter, sameValue } from './edit-value';
import { coverComments } from './json-comments';
import type { YamlEdit } from './yaml-edit';
import { nodeAt, pairOf, parseYaml } from './yaml-source';

/**
 * Sets or removes a value of a JSON text in place: the text around it stays as it is written. Returns `undefined` if that is not
 * possible. JSON is YAML, so the places are those of its YAML.
 */
export function editJson(text: string, edit: YamlEdit): string | undefined {
  const whole = text.trim() === '' ? '{}\n' : text;
  const before = jsonIn(whole);
  if (!isRecord(before) || (edit.op !== 'set' && edit.op !== 'remove')) return undefined;
  const expected = expectedAfter(before, edit);
  if (!expected.ok) return undefined;
  const edited = edit.op === 'set' ? setIn(whole, edit.path, edit.value) : removeIn(whole, edit.path);
  const after = edited === undefined ? undefined : jsonIn(edited);
  return after !== undefined && sameValue(after, expected.value) ? edited : undefined;
}

/** A byte order mark at the start is no part of the JSON. */
function jsonIn(text: string): unknown {
  return parseJson(coverComments(text.replace(/^\uFEFF/, '')));
}

type Steps = YamlEdit['path'];

function setIn(text: string, path: Steps, value: Json): string | undefined {
  const yaml = sourceOf(text);
  const node = nodeAt(yaml, path);
  if (node?.range)
    return splice(text, node.range[0], node.range[1], printed(value, text, indentAt(text, node.range[0])));
  const [parent, key, inner] = missingIn(text, path, value);
  const map = nodeAt(yaml, parent);
  if (!isMap(map) || !map.range) return undefined;
  const own = indentAt(text, map.range[0]);
  const last = map.items.at(-1);
  const entry = (at: string) => `${JSON.stringify(key)}: ${printed(inner, text, at)}`;
  if (last === undefined) {
    const at = own + stepOf(text);
    return splice(text, map.range[0], map.range[1], `{${eolOf(text)}${at}${entry(at)}${eolOf(text)}${own}}`);
  }
  const [from, end] = [startOf(last), endOf(last)];
  const isOnOwnLine = lineStart(text, from) > map.range[0];
  if (!isOnOwnLine) return splice(text, end, end, `, ${JSON.stringify(key)}: ${JSON.stringify(inner)}`);
  const at = indentAt(text, from);
  return splice(text, end, end, `,${eolOf(text)}${at}${entry(at)}`);
}

/** Returns the deepest mapping on the way that exists, its new key, and the value of that key. */
function missingIn(text: string, path: Steps, value: Json): readonly [Steps, string, Json] {
  const yaml = sourceOf(text);
  let depth = path.length - 1;
  while (depth > 0 && nodeAt(yaml, path.slice(0, depth)) === undefined) depth--;
  const inner = path.slice(depth + 1).reduceRight<Json>((nested, step) => ({ [step]: nested }), value);
  return [path.slice(0, depth), String(path[depth]), inner];
}

function removeIn(text: string, path: Steps): string | undefined {
  const yaml = sourceOf(text);
  const map = nodeAt(yaml, path.slice(0, -1));
  if (!isMap(map)) return undefined;
  const pair = pairOf(map, String(path.at(-1)));
  if (pair === undefined) return text;
  const items = pairsOf(map);
  const index = items.indexOf(pair);
  const [before, after] = [items[index - 1], items[index + 1]];
  if (before !== undefined) return splice(text, endOf(before), endOf(pair), '');
  if (after !== undefined) return splice(text, startOf(pair), startOf(after), '');
  return map.range ? splice(text, map.range[0], map.range[1], '{}') : undefined;
}

/** A tab is no blank of YAML everywhere. Both are one character. */
function sourceOf(text: string) {
  return parseYaml({
    text: coverComments(text)
      .replaceAll('\t', ' ')
      .replace(/^\uFEFF/, ' '),
    offset: 0,
  });
}

function pairsOf(map: YAMLMap): readonly Pair<Node, Node | null>[] {
  return map.items as readonly Pair<Node, Node | null>[];
}

function startOf(pair: { readonly key: unknown }): number {
  return isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function endOf(pair: { readonly value: unknown }): number {
  const { value } = pair;
  const range = typeof value === 'object' && value !== null && 'range' in value ? value.range : undefined;
  return Array.isArray(range) ? Number(range[1]) : 0;
}

function splice(text: string, from: number, to: number, between: string): string {
  return text.slice(0, from) + between + text.slice(to);
}

/** Prints a value as the text does: with its indentation, or on one line if the text is one line. */
function printed(value: Json, text: string, indent: string): string {
  if (!text.trim().includes('\n')) return JSON.stringify(value);
  return JSON.stringify(value, null, stepOf(text)).replaceAll('\n', eolOf(text) + indent);
}

function stepOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}
