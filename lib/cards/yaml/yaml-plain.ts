import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Slice } from '@/lib/cards/source';
import { isMapping } from './pyyaml';
import { keyText, type OddKey, type RepeatedKey, type YamlFault } from './yaml-keys';

/**
 * Converts a parsed document to plain values as PyYAML does: of two equal keys the last is used, `<<` merges, and aliases share
 * the value of their anchor. Tracks the expanded size of each value, so nested aliases ("billion laughs") are rejected before
 * they fill the memory.
 */

const maxExpandedNodes = 200_000;
/**
 * A document may have this many expanded values, in addition to one per character of the text. No text without aliases has
 * more.
 */
const freeNodes = 10_000;
/** A long text counts as several values, because aliases of it could fill the memory too. */
const textPerNode = 64;

export interface Plain {
  readonly value: unknown;
  readonly repeated: readonly RepeatedKey[];
  readonly oddKeys: readonly OddKey[];
  readonly fault?: YamlFault;
}

interface Built {
  readonly value: unknown;
  readonly size: number;
}

class Refused extends Error {
  readonly fault: YamlFault;

  constructor(fault: YamlFault) {
    super(fault.message);
    this.fault = fault;
  }
}

export function plainOf(doc: Document.Parsed, { text, offset }: Slice): Plain {
  const builder = new PlainBuilder(offset, Math.min(maxExpandedNodes, freeNodes + text.length));
  try {
    return { value: builder.build(doc.contents, []).value, repeated: builder.repeated, oddKeys: builder.oddKeys };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { value: undefined, repeated: [], oddKeys: [], fault: error.fault };
  }
}

class PlainBuilder {
  readonly repeated: RepeatedKey[] = [];
  readonly oddKeys: OddKey[] = [];
  readonly #offset: number;
  readonly #maxSize: number;
  /** The values by anchor. `undefined` while the node is being built: an alias inside it would be a cycle. */
  readonly #anchors = new Map<string, Built | undefined>();

  constructor(offset: number, maxSize: number) {
    this.#offset = offset;
    this.#maxSize = maxSize;
  }

  build(node: Node | null, path: readonly (string | number)[]): Built {
    if (node === null) return { value: null, size: 1 };
    if (isAlias(node)) return this.#alias(node.source, node);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const built = this.#content(node, path);
    this.#checkSize(built.size, node);
    if (anchor !== undefined) this.#anchors.set(anchor, built);
    return built;
  }

  #checkSize(size: number, node: Node): void {
    if (size > this.#maxSize)
      throw this.#refuse('yaml-alias', 'There are too many values in it, aliases expanded.', node);
  }

  #content(node: Node, path: readonly (string | number)[]): Built {
    if (isScalar(node)) return scalarBuilt(this.#scalar(node));
    if (isMap<Node, Node | null>(node)) return this.#mapping(node, path);
    if (!isSeq<Node>(node)) return { value: null, size: 1 };
    let size = 1;
    const value = node.items.map((item, index) => {
      const built = this.build(item, [...path, index]);
      size += built.size;
      this.#checkSize(size, node);
      return built.value;
    });
    return { value, size };
  }

  #scalar(node: Scalar): unknown {
    if (node.type !== 'PLAIN') return node.value;
    if (node.source === '=' || node.source === '<<') {
      throw this.#refuse('yaml-syntax', `A bare '${node.source}' cannot be read. Put it in quotes.`, node);
    }
    if (node.source?.includes('\t')) {
      throw this.#refuse(
        'yaml-syntax',
        'A tab inside a value without quotes cannot be read. Use spaces or quotes.',
        node,
      );
    }
    return node.value;
  }

  #mapping(node: YAMLMap<Node, Node | null>, path: readonly (string | number)[]): Built {
    const own: Record<string, unknown> = {};
    const merged: Built[] = [];
    let size = 1;
    for (const pair of node.items) {
      const key = this.#key(pair, node);
      const built = this.build(pair.value, [...path, key]);
      size += built.size;
      this.#checkSize(size, node);
      if (isMergeKey(pair.key)) {
        merged.push(built);
        continue;
      }
      if (isScalar(pair.key) && typeof pair.key.value !== 'string') {
        this.oddKeys.push({ parent: path, key, offset: this.#at(pair.key) });
      }
      if (Object.hasOwn(own, key)) this.repeated.push({ key, offset: this.#at(pair.key) });
      define(own, key, built.value);
    }
    for (const { value } of merged) this.#merge(own, value, node);
    return { value: own, size };
  }

  #merge(own: Record<string, unknown>, source: unknown, node: Node): void {
    for (const entry of Array.isArray(source) ? source : [source]) {
      if (!isMapping(entry)) {
        throw this.#refuse('yaml-alias', "'<<' merges mappings only. Give it a mapping, or quote the key.", node);
      }
      for (const [key, value] of Object.entries(entry)) if (!Object.hasOwn(own, key)) define(own, key, value);
    }
  }

  #key(pair: Pair<Node, Node | null>, map: Node): string {
    const { key } = pair;
    if (isAlias(key)) return String(this.#alias(key.source, key).value);
    if (isScalar(key)) return keyText(key);
    throw this.#refuse('yaml-key', "A mapping cannot be a key. If this is a '{{placeholder}}', put it in quotes.", map);
  }

  #alias(name: string, node: Node): Built {
    const built = this.#anchors.get(name);
    if (built !== undefined) return built;
    const message = this.#anchors.has(name) ? `Alias '*${name}' contains itself.` : `Alias '*${name}' has no anchor.`;
    throw this.#refuse('yaml-alias', message, node);
  }

  #refuse(code: YamlFault['code'], message: string, node: Node): Refused {
    return new Refused({ code, message, offset: this.#at(node) });
  }

  #at(node: Node | null | undefined): number {
    return this.#offset + (node?.range?.[0] ?? 0);
  }
}

function scalarBuilt(value: unknown): Built {
  return { value, size: 1 + (typeof value === 'string' ? Math.floor(value.length / textPerNode) : 0) };
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

/** Defines a property. An assignment to `__proto__` would set the prototype instead. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}
