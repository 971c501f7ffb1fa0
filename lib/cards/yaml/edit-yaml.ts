import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { Issue } from '@/lib/base/issue';
import { isJson, isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { LineIndex } from '@/lib/cards/line-index';
import { expectedAfter, sameValue } from './edit-value';
import { applyCuts, CannotSplice, type Cut, isBlank, isReference, type Slot, Splicer, sameKind } from './splice';
import type { YamlEdit } from './yaml-edit';
import {
  alreadyIs,
  deepest,
  find,
  type MapNode,
  type Place,
  type SeqNode,
  scalarOf,
  styleOf,
  textOfKey,
} from './yaml-place';
import { isJsonObject, isList, type YamlStyle } from './yaml-print';
import { type Path, pairOf, parseYaml, type YamlSource } from './yaml-source';

/** The order for new keys of the root. Unlisted keys go last. */
export type KeyOrder = readonly string[];

const settingsOrder: KeyOrder = [
  'version',
  'entry',
  'limits',
  'tool_naming',
  'delegations',
  'delegation_defaults',
  'recording',
  'scripts',
  'canvas',
];

/**
 * Edits `callboard.yaml` or `fast-agent.yaml` in place: only the lines of the changed value change. `''` is an empty file.
 * Paths are keys and 0-based list indexes. `set` creates missing parents, `insert` a missing list; `remove` of a missing value
 * does nothing. When the text cannot be changed safely (aliases, merged keys), the Issue names the line to edit by hand.
 */
export function editYaml(text: string, edit: YamlEdit, file = 'callboard.yaml'): Result<string, Issue> {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const edited = editYamlText({ text: text.slice(bom), whole: text, offset: bom, file, order: settingsOrder }, edit);
  return edited.ok ? ok(text.slice(0, bom) + edited.value) : edited;
}

/**
 * Makes several edits of `callboard.yaml` or `fast-agent.yaml`, each on the result of the one before, as `editYaml` does one by one. If
 * they only add and change values, or only rename keys, the text is parsed a few times in all, and not for each edit. Otherwise, and
 * where that would give another value, they are made one by one.
 */
export function editYamlAll(text: string, edits: readonly YamlEdit[], file = 'callboard.yaml'): Result<string, Issue> {
  let now = text;
  for (const [index, edit] of edits.entries()) {
    // An empty file has no places for values until the first edit.
    const rest = index <= 1 ? edits.slice(index) : [];
    const bom = now.startsWith('\uFEFF') ? 1 : 0;
    const atOnce = rest.length > 1 ? editAtOnce(now.slice(bom), rest) : undefined;
    if (atOnce !== undefined) return ok(now.slice(0, bom) + atOnce);
    const edited = editYaml(now, edit, file);
    if (!edited.ok) return edited;
    now = edited.value;
  }
  return ok(now);
}

function editAtOnce(text: string, edits: readonly YamlEdit[]): string | undefined {
  const before = parseYaml({ text, offset: 0 });
  if (before.faults.length > 0 || !isRecord(before.value)) return undefined;
  let expected: unknown = before.value;
  for (const edit of edits) {
    const next = expectedAfter(expected, edit);
    if (!next.ok) return undefined;
    expected = next.value;
  }
  try {
    const editor = new YamlEditor(settingsOrder, text, before);
    const after = editor.runAll(text, before, edits, expected);
    return after !== undefined && sameValue(editor.read(after).value, expected) ? after : undefined;
  } catch (error) {
    if (!(error instanceof CannotSplice)) throw error;
    return undefined;
  }
}

export interface YamlRegion {
  /** The YAML: front matter of a card, or a whole file without its BOM. */
  readonly text: string;
  /** The whole file, and the position of `text` in it, for line numbers. */
  readonly whole: string;
  readonly offset: number;
  readonly file: string;
  readonly order: KeyOrder;
}

/** Edits a part of a file and returns that part. Parses the result again, to verify that it has the expected value. */
export function editYamlText(region: YamlRegion, edit: YamlEdit): Result<string, Issue> {
  const before = parseYaml({ text: region.text, offset: 0 });
  const fault = before.faults[0];
  if (fault !== undefined) return err(cannotEdit(region, fault.offset, `The YAML cannot be read: ${fault.message}`));
  if (before.value !== null && (typeof before.value !== 'object' || Array.isArray(before.value))) {
    return err(cannotEdit(region, 0, 'The file does not hold a mapping of keys.'));
  }
  const expected = expectedAfter(before.value, edit);
  if (!expected.ok) return err(cannotEdit(region, 0, expected.error));
  try {
    const editor = new YamlEditor(region.order, region.text, before);
    const text = editor.run(region.text, before, edit);
    const after = editor.read(text);
    if (after.faults.length === 0 && sameValue(after.value ?? {}, expected.value ?? {})) return ok(text);
    const at = deepest(before, edit.path);
    const why = 'This value is written in a way that cannot be changed in place (an alias, a merged or repeated key).';
    return err(cannotEdit(region, at, why));
  } catch (error) {
    if (!(error instanceof CannotSplice)) throw error;
    return err(cannotEdit(region, error.offset, `${error.message}.`));
  }
}

function cannotEdit(region: YamlRegion, offset: number, why: string): Issue {
  const { line, column } = new LineIndex(region.whole).positionOf(region.offset + offset);
  return {
    code: 'cannot-edit',
    severity: 'error',
    stage: 'callboard',
    file: region.file,
    line,
    column,
    message: `${why} Change line ${line} of ${region.file} in the text instead.`,
  };
}

/** Makes one edit of one text. A larger edit is a series of small ones; the text is parsed again after each. */
class YamlEditor {
  readonly #order: KeyOrder;
  /** The text parsed last, so that a pass without changes does not parse again. */
  #last: { readonly text: string; readonly yaml: YamlSource };

  constructor(order: KeyOrder, text: string, yaml: YamlSource) {
    this.#order = order;
    this.#last = { text, yaml };
  }

  read(text: string): YamlSource {
    if (this.#last.text !== text) this.#last = { text, yaml: parseYaml({ text, offset: 0 }) };
    return this.#last.yaml;
  }

  run(text: string, yaml: YamlSource, edit: YamlEdit): string {
    switch (edit.op) {
      case 'set':
        return this.#set(text, edit.path, edit.value);
      case 'remove':
        return this.#remove(text, yaml, edit.path);
      case 'insert':
        return this.#insert(text, yaml, edit.path, edit.index, edit.value);
      case 'move':
        return this.#move(text, yaml, edit.path, edit.from, edit.to);
      case 'rename':
        return this.#rename(text, yaml, edit.path, edit.key);
    }
  }

  /** Makes edits at once that only rename keys and change texts, or only set and insert values. Otherwise returns `undefined`. */
  runAll(text: string, yaml: YamlSource, edits: readonly YamlEdit[], expected: unknown): string | undefined {
    const cuts = this.#cutsInPlace(text, yaml, edits);
    if (cuts !== undefined) return applyCuts(text, cuts);
    if (!edits.every(({ op, path }) => (op === 'set' || op === 'insert') && path.length > 0)) return undefined;
    const keys = new Set(edits.map(({ path }) => String(path[0])));
    const values = Object.entries(isRecord(expected) ? expected : {}).flatMap(([key, value]) =>
      keys.has(key) && isJson(value) ? [[key, value] as const] : [],
    );
    if (values.length < keys.size) return undefined;
    let current = this.#mergePass(text, values, 'change');
    current = this.#mergePass(current, values, 'add');
    for (;;) {
      const next = this.#mergePass(current, values, 'drop');
      if (next === current) return current;
      current = next;
    }
  }

  /** The cuts of edits that touch no other line than that of their key or text. */
  #cutsInPlace(text: string, yaml: YamlSource, edits: readonly YamlEdit[]): Cut[] | undefined {
    const splicer = new Splicer(text, styleOf(text, yaml));
    const cuts: Cut[] = [];
    for (const edit of edits) {
      const place = find(yaml, edit.path);
      if (place.at !== 'slot') return undefined;
      const { slot } = place;
      if (edit.op === 'rename' && slot.in === 'map') cuts.push(splicer.renameKey(slot.pair, edit.key, slot.flow));
      else if (edit.op === 'set' && typeof edit.value === 'string' && isScalar(splicer.valueOf(slot)))
        cuts.push(...splicer.replace(slot, edit.value));
      else return undefined;
    }
    return cuts;
  }

  /** Changes values of the root, or adds them, each at the place that its key has in the order. */
  #mergePass(text: string, values: readonly (readonly [string, Json])[], pass: 'change' | 'add' | 'drop'): string {
    const yaml = this.read(text);
    const root = yaml.doc?.contents;
    if (yaml.faults.length > 0 || !isMap<Node, Node | null>(root))
      throw new CannotSplice('The file does not hold a mapping of keys', 0);
    const splicer = new Splicer(text, styleOf(text, yaml));
    const flow = root.flow === true;
    const cuts: Cut[] = [];
    const added = new Map<Pair<Node, Node | null> | undefined, (readonly [string, Json])[]>();
    for (const [key, value] of values) {
      const pair = pairOf(root, key);
      if (pair !== undefined) {
        cuts.push(...this.#differences(splicer, pair.value, { in: 'map', parent: root, pair, flow }, value, pass));
        continue;
      }
      const neighbour = this.#neighbour(root, key, true);
      added.set(neighbour, [...(added.get(neighbour) ?? []), [key, value]]);
    }
    if (pass === 'add') {
      const place = ([key]: readonly [string, Json]) => this.#order.indexOf(key) >>> 0;
      for (const [neighbour, entries] of added)
        cuts.push(
          splicer.addPairs(
            root,
            entries.toSorted((a, b) => place(a) - place(b)),
            neighbour,
          ),
        );
    }
    return applyCuts(text, pass === 'drop' ? cuts.slice(0, 1) : cuts);
  }

  #set(text: string, path: Path, value: Json): string {
    // Changes come first, then additions, then removals. Each pass works on the text of the one before.
    let current = this.#pass(text, path, value, 'change');
    current = this.#pass(current, path, value, 'add');
    for (;;) {
      const next = this.#pass(current, path, value, 'drop');
      if (next === current) return current;
      current = next;
    }
  }

  #pass(text: string, path: Path, value: Json, pass: 'change' | 'add' | 'drop'): string {
    const yaml = this.read(text);
    const fault = yaml.faults[0];
    if (fault !== undefined)
      throw new CannotSplice('This value is written in a way that cannot be changed in place', fault.offset);
    const splicer = new Splicer(text, styleOf(text, yaml));
    const place = find(yaml, path);
    if (place.at === 'missing') return pass === 'add' ? this.#create(splicer, yaml, place, value) : text;
    const node = place.at === 'root' ? (yaml.doc?.contents ?? null) : splicer.valueOf(place.slot);
    const cuts = this.#differences(splicer, node, place.at === 'slot' ? place.slot : undefined, value, pass);
    return applyCuts(text, pass === 'drop' ? cuts.slice(0, 1) : cuts);
  }

  /** Returns the cuts that change a node to a value: collections entry by entry, other values as a whole. */
  #differences(
    splicer: Splicer,
    node: Node | null,
    slot: Slot | undefined,
    value: Json,
    pass: 'change' | 'add' | 'drop',
  ): Cut[] {
    if (isReference(node)) throw new CannotSplice('This value is an alias of another one', node?.range?.[0] ?? 0);
    const emptied = (isJsonObject(value) && Object.keys(value).length === 0) || (isList(value) && value.length === 0);
    if (!sameKind(node, value) || (emptied && slot !== undefined)) {
      if (pass !== 'change' || slot === undefined) return [];
      return alreadyIs(node, value) ? [] : splicer.replace(slot, value);
    }
    if (isMap<Node, Node | null>(node) && isJsonObject(value))
      return this.#mapDifferences(splicer, node, value, pass, slot === undefined);
    if (isSeq<Node>(node) && isList(value)) return this.#listDifferences(splicer, node, value, pass);
    return [];
  }

  #mapDifferences(
    splicer: Splicer,
    map: MapNode,
    value: JsonObject,
    pass: 'change' | 'add' | 'drop',
    root: boolean,
  ): Cut[] {
    const flow = map.flow === true;
    const cuts: Cut[] = [];
    for (const [key, item] of Object.entries(value)) {
      const pair = pairOf(map, key);
      if (pair === undefined) continue;
      cuts.push(...this.#differences(splicer, pair.value, { in: 'map', parent: map, pair, flow }, item, pass));
    }
    if (pass === 'add') {
      const missing = Object.entries(value).filter(([key]) => pairOf(map, key) === undefined);
      if (missing.length > 0)
        cuts.push(splicer.addPairs(map, missing, this.#neighbour(map, missing[0]?.[0] ?? '', root)));
    }
    if (pass === 'drop') {
      const extra = map.items.find((pair) => !Object.hasOwn(value, textOfKey(pair)) && textOfKey(pair) !== '<<');
      if (extra !== undefined) cuts.push(splicer.drop({ in: 'map', parent: map, pair: extra, flow }));
    }
    return cuts;
  }

  #listDifferences(splicer: Splicer, seq: SeqNode, value: readonly Json[], pass: 'change' | 'add' | 'drop'): Cut[] {
    const flow = seq.flow === true;
    const length = seq.items.length;
    const same = (a: number, b: number) => alreadyIs(seq.items[a] ?? null, value[b] ?? null);
    const shorter = Math.min(length, value.length);
    let head = 0;
    while (head < shorter && same(head, head)) head++;
    let tail = 0;
    while (tail < shorter - head && same(length - 1 - tail, value.length - 1 - tail)) tail++;
    const common = shorter - head - tail;
    const inner = value.slice(head, head + common).flatMap((item, index) => {
      const slot: Slot = { in: 'seq', parent: seq, index: head + index, flow };
      return this.#differences(splicer, seq.items[head + index] ?? null, slot, item, pass);
    });
    if (pass === 'add' && value.length > length) {
      const added = value.slice(head + common, value.length - tail);
      return [...inner, splicer.addItems(seq, added, head + common)];
    }
    if (pass === 'drop' && length > value.length) {
      return [...inner, splicer.drop({ in: 'seq', parent: seq, index: head + common, flow })];
    }
    return inner;
  }

  #create(splicer: Splicer, yaml: YamlSource, place: Extract<Place, { at: 'missing' }>, value: Json): string {
    const { node, rest, slot } = place;
    const [key] = rest;
    const text = splicer.text;
    if (isReference(node)) throw new CannotSplice('This value is an alias of another one', node?.range?.[0] ?? 0);
    const inner = nest(rest.slice(1), value);
    if (isMap<Node, Node | null>(node)) {
      const cut = splicer.addPairs(
        node,
        [[String(key), inner]],
        this.#neighbour(node, String(key), slot === undefined),
      );
      return applyCuts(text, [cut]);
    }
    if (isSeq<Node>(node)) return applyCuts(text, [splicer.addItems(node, [inner], node.items.length)]);
    if (slot !== undefined) return applyCuts(text, splicer.replace(slot, nest(rest, value)));
    return append(text, nest(rest, value), splicer.style, yaml);
  }

  #remove(text: string, yaml: YamlSource, path: Path): string {
    const place = find(yaml, path);
    if (place.at !== 'slot') return text;
    const splicer = new Splicer(text, styleOf(text, yaml));
    const { parent } = place.slot;
    const container = find(yaml, path.slice(0, -1));
    if (parent.items.length > 1 || container.at === 'root') return applyCuts(text, [splicer.drop(place.slot)]);
    if (container.at !== 'slot') return text;
    return applyCuts(text, splicer.replace(container.slot, isMap(parent) ? {} : []));
  }

  #insert(text: string, yaml: YamlSource, path: Path, index: number, value: Json): string {
    const place = find(yaml, path);
    if (place.at === 'missing') return this.#set(text, path, [value]);
    if (place.at === 'root') return text;
    const splicer = new Splicer(text, styleOf(text, yaml));
    const node = splicer.valueOf(place.slot);
    if (isSeq<Node>(node)) return applyCuts(text, [splicer.addItems(node, [value], index)]);
    return applyCuts(text, splicer.replace(place.slot, listWith(node, index, value)));
  }

  #move(text: string, yaml: YamlSource, path: Path, from: number, to: number): string {
    const place = find(yaml, path);
    if (place.at !== 'slot') return text;
    const splicer = new Splicer(text, styleOf(text, yaml));
    const node = splicer.valueOf(place.slot);
    return isSeq<Node>(node) ? applyCuts(text, splicer.move(node, from, to)) : text;
  }

  #rename(text: string, yaml: YamlSource, path: Path, key: string): string {
    const place = find(yaml, path);
    if (place.at !== 'slot' || place.slot.in !== 'map') return text;
    const splicer = new Splicer(text, styleOf(text, yaml));
    return applyCuts(text, [splicer.renameKey(place.slot.pair, key, place.slot.flow)]);
  }

  /**
   * Returns the pair after which a new key is added: the last one before it in the key order, or for unknown keys the last
   * pair.
   */
  #neighbour(map: MapNode, key: string, root: boolean): Pair<Node, Node | null> | undefined {
    const rank = this.#order.indexOf(key);
    if (!root || rank === -1) return map.items.at(-1);
    let best: { rank: number; pair: Pair<Node, Node | null> } | undefined;
    for (const pair of map.items) {
      const other = this.#order.indexOf(textOfKey(pair));
      if (other !== -1 && other < rank && (best === undefined || other > best.rank)) best = { rank: other, pair };
    }
    return best?.pair;
  }
}

function listWith(node: Node | null, index: number, value: Json): Json {
  const old = scalarOf(node);
  if (isBlank(node) || old === null || typeof old === 'object') return [value];
  const kept = typeof old === 'string' || typeof old === 'number' || typeof old === 'boolean' ? old : String(old);
  return index === 0 ? [value, kept] : [kept, value];
}

function nest(path: Path, value: Json): Json {
  return path.reduceRight<Json>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

/** Adds the first value to a text: after its comments, before the end mark of the document. */
function append(text: string, value: Json, style: YamlStyle, yaml: YamlSource): string {
  if (!isJsonObject(value)) return text;
  const scratch = new Splicer('_: 0', style);
  const doc = parseYaml({ text: '_: 0', offset: 0 }).doc?.contents;
  if (!isMap<Node, Node | null>(doc)) return text;
  const lines = scratch.addPairs(doc, Object.entries(value), doc.items[0]).text.slice(style.eol.length);
  if (yaml.doc?.contents !== null && text.trim() !== '' && !/^\s*(?:#|---|\.\.\.)/.test(text)) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : style.eol;
  return text + gap + lines + style.eol;
}
