import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { oncePer } from '@/lib/base/once-per';
import type { Slice } from '@/lib/cards/source';
import { pyyamlTags } from './pyyaml';
import { isTooDeep } from './yaml-depth';
import { explainFault, firstFault } from './yaml-fault';
import { keyText, type OddKey, type RepeatedKey, type YamlFault } from './yaml-keys';
import { plainOf } from './yaml-plain';

export interface YamlSource {
  /** Node ranges are relative to the slice, so `offset` must be added. For values use `value`, never `doc.toJS()`. */
  readonly doc: Document.Parsed<ParsedNode> | undefined;
  readonly offset: number;
  /** The value: plain objects, arrays, strings, numbers, booleans, null and `YamlDate`. `undefined` if there are faults. */
  readonly value: unknown;
  readonly faults: readonly YamlFault[];
  readonly repeated: readonly RepeatedKey[];
  readonly oddKeys: readonly OddKey[];
  /**
   * Set if `value` is not what the text says, but what it stands for: returns the path in the text for a path of `value`. The spans of
   * a path are found through it.
   */
  readonly asWritten?: (path: Path) => Path;
}

export type Path = readonly (string | number)[];

export interface Span {
  /** Offsets in the file. `end` is after the last character. */
  readonly start: number;
  readonly end: number;
}

/** Parses YAML as PyYAML's `safe_load` does. Never throws. Limits the expanded size of aliases. */
export function parseYaml({ text, offset }: Slice): YamlSource {
  const bad = (fault: YamlFault, doc?: Document.Parsed<ParsedNode>): YamlSource => ({
    doc,
    offset,
    value: undefined,
    faults: [fault],
    repeated: [],
    oddKeys: [],
  });
  if (isTooDeep(text)) {
    return bad({ code: 'yaml-too-deep', message: 'The YAML is nested too deeply to be read.', offset });
  }
  const doc = parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    customTags: pyyamlTags,
    merge: true,
    uniqueKeys: false,
    keepSourceTokens: true,
    prettyErrors: false,
    // With 'silent' the library would not report a second document.
    logLevel: 'error',
  });
  const first = firstFault(doc, text);
  if (first !== undefined) {
    return bad({ code: 'yaml-syntax', message: first.message, offset: offset + first.offset }, doc);
  }
  const tag = doc.warnings.find((warning) => warning.code === 'TAG_RESOLVE_FAILED');
  if (tag !== undefined) {
    return bad({ code: 'yaml-tag', message: explainFault(tag), offset: offset + tag.pos[0] }, doc);
  }
  const plain = plainOf(doc, { text, offset });
  return plain.fault === undefined ? { doc, offset, ...plain, faults: [] } : bad(plain.fault, doc);
}

/** Returns the pair of a key, which is the last one with that key. Keys merged with `<<` are ignored. */
export function pairOf(map: YAMLMap, key: string): Pair<Node, Node | null> | undefined {
  return pairsOf(map).get(key);
}

/** The results are cached by map, because parsed documents are immutable. */
const pairsOf = oncePer((map: YAMLMap) => {
  const pairs = new Map<string, Pair<Node, Node | null>>();
  for (const pair of map.items as readonly unknown[]) {
    if (isPair<Node, Node | null>(pair) && isScalar(pair.key)) pairs.set(keyText(pair.key), pair);
  }
  return pairs;
});

/** Returns the node of an alias: the last one before it with its anchor. */
function resolved(doc: Document.Parsed<ParsedNode>, alias: Alias): Node | undefined {
  return aliasesOf(doc).get(alias);
}

/** The results are cached, because `resolve` of the library searches the whole document for each alias. */
const aliasesOf = oncePer((doc: Document.Parsed<ParsedNode>) => {
  const anchors = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  visit(doc, {
    Node(_, node) {
      const target = isAlias(node) ? anchors.get(node.source) : undefined;
      if (isAlias(node)) {
        if (target !== undefined) found.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return found;
});

/** Returns the node at a path of the text, following aliases. Returns `undefined` if there is none. */
export function nodeAt(yaml: YamlSource, path: Path): Node | undefined {
  let node: Node | null | undefined = yaml.doc?.contents;
  for (const step of path) {
    if (isAlias(node) && yaml.doc !== undefined) node = resolved(yaml.doc, node);
    if (isMap(node)) node = pairOf(node, String(step))?.value;
    else if (isSeq<Node>(node) && typeof step === 'number') node = node.items[step];
    else return undefined;
  }
  return node ?? undefined;
}

/** Returns the span of the value at a path. An empty value (`key:`) has an empty span after the key. */
export function valueSpan(yaml: YamlSource, path: Path): Span | undefined {
  return spanOf(nodeAt(yaml, writtenPath(yaml, path)), yaml.offset);
}

/** Returns the span of the last key of a path, or for a list index the span of the entry. */
export function keySpan(yaml: YamlSource, given: Path): Span | undefined {
  const path = writtenPath(yaml, given);
  const last = path.at(-1);
  if (last === undefined) return spanOf(nodeAt(yaml, path), yaml.offset);
  let parent = nodeAt(yaml, path.slice(0, -1));
  if (isAlias(parent) && yaml.doc !== undefined) parent = resolved(yaml.doc, parent);
  if (isMap(parent)) return spanOf(pairOf(parent, String(last))?.key, yaml.offset);
  return spanOf(nodeAt(yaml, path), yaml.offset);
}

function writtenPath(yaml: YamlSource, path: Path): Path {
  return yaml.asWritten === undefined ? path : yaml.asWritten(path);
}

function spanOf(node: Node | null | undefined, offset: number): Span | undefined {
  const range = node?.range;
  return range ? { start: offset + range[0], end: offset + range[1] } : undefined;
}
