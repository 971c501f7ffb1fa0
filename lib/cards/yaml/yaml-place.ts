import { isMap, isPair, isSeq, type Node } from 'yaml';
import type { Json } from '@/lib/base/json';
import { sameValue } from './edit-value';
import { isReference, type Slot, Splicer } from './splice';
import { isJsonObject, isList, type YamlStyle } from './yaml-print';
import { type Path, pairOf, type YamlSource } from './yaml-source';

/** The target of a path in a document. */
export type Place =
  | { readonly at: 'slot'; readonly slot: Slot }
  | { readonly at: 'root' }
  /** A part of the path does not exist: `rest` is missing in the value of `slot`, or in the root. */
  | { readonly at: 'missing'; readonly slot: Slot | undefined; readonly node: Node | null; readonly rest: Path };

export type MapNode = Extract<Slot, { in: 'map' }>['parent'];
export type SeqNode = Extract<Slot, { in: 'seq' }>['parent'];

/** Returns the offset of the last existing node of a path. */
export function deepest(yaml: YamlSource, path: Path): number {
  let node: Node | null | undefined = yaml.doc?.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    let next: Node | null | undefined;
    if (isMap<Node, Node | null>(node)) {
      const pair = pairOf(node, String(step));
      next = pair?.value ?? pair?.key;
    } else if (isSeq<Node>(node) && typeof step === 'number') next = node.items[step];
    if (next === undefined || next === null) break;
    node = next;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
}

export function find(yaml: YamlSource, path: Path): Place {
  let node: Node | null = yaml.doc?.contents ?? null;
  let slot: Slot | undefined;
  let flow = false;
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth);
    if (isMap<Node, Node | null>(node)) {
      const pair = pairOf(node, String(step));
      if (pair === undefined) return { at: 'missing', slot, node, rest };
      flow ||= node.flow === true;
      slot = { in: 'map', parent: node, pair, flow };
      node = pair.value;
    } else if (isSeq<Node>(node) && typeof step === 'number' && step < node.items.length) {
      flow ||= node.flow === true;
      slot = { in: 'seq', parent: node, index: step, flow };
      node = node.items[step] ?? null;
    } else return { at: 'missing', slot, node, rest };
  }
  if (slot !== undefined) return { at: 'slot', slot };
  return isMap(node) ? { at: 'root' } : { at: 'missing', slot, node, rest: [] };
}

export function scalarOf(node: Node | null): unknown {
  return node !== null && 'value' in node ? node.value : null;
}

export function textOfKey(pair: unknown): string {
  return isPair<Node, Node | null>(pair) && 'value' in pair.key ? String(pair.key.value) : '';
}

/** Returns the indentation of a text, from its first nested mapping and its first list. The default is two spaces. */
export function styleOf(text: string, yaml: YamlSource): YamlStyle {
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  const probe = new Splicer(text, { eol, step: 2, dash: 2 });
  let step: number | undefined;
  let dash: number | undefined;
  const visit = (node: Node | null): void => {
    if (isMap<Node, Node | null>(node) && node.flow !== true) {
      for (const { key, value } of node.items) {
        const column = probe.column(key.range?.[0] ?? 0);
        if (isMap<Node, Node | null>(value) && value.flow !== true && step === undefined) {
          step = probe.column(value.items[0]?.key.range?.[0] ?? 0) - column;
        }
        if (isSeq<Node>(value) && value.flow !== true && dash === undefined)
          dash = probe.column(probe.dash(value, 0)) - column;
        if (step !== undefined && dash !== undefined) return;
        visit(value);
      }
    } else if (isSeq<Node>(node)) node.items.forEach(visit);
  };
  visit(yaml.doc?.contents ?? null);
  return { eol, step: step !== undefined && step > 0 ? step : 2, dash: dash ?? step ?? 2 };
}

export function alreadyIs(node: Node | null, value: Json): boolean {
  if (isReference(node)) return false;
  if (isMap<Node, Node | null>(node)) {
    if (!isJsonObject(value) || node.items.length !== Object.keys(value).length) return false;
    return Object.entries(value).every(([key, item]) => {
      const pair = pairOf(node, key);
      return pair !== undefined && alreadyIs(pair.value, item);
    });
  }
  if (isSeq<Node>(node)) {
    return (
      isList(value) &&
      node.items.length === value.length &&
      node.items.every((item, at) => alreadyIs(item, value[at] ?? null))
    );
  }
  return sameValue(scalarOf(node), value);
}
