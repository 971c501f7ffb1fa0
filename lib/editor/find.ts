import type { Folder } from '@/lib/cards/folder';
import type { FileRole } from '@/lib/cards/parsed-folder';
import type { NodeId } from '@/lib/graph/graph';
import type { Picture } from './picture';

/**
 * Find in the whole project: names of nodes and hooks, and every line of every text, by the part of the file it is in.
 *
 *   card    front matter ▶ settings    text below ▶ prompts
 *   skill   ▶ prompts    code ▶ code    fast-agent.yaml, callboard.yaml ▶ settings    the rest ▶ other files
 */
export type FindKind = 'names' | 'prompts' | 'settings' | 'code' | 'other';

export interface FoundNode {
  readonly is: 'node';
  readonly id: NodeId;
  readonly name: string;
}
export interface FoundHook {
  readonly is: 'hook';
  /** The card whose chain has the hook, and the id of the entry. */
  readonly file: string;
  readonly id: string;
  readonly name: string;
  readonly agent: string;
}
export interface FoundLine {
  readonly is: 'line';
  readonly file: string;
  /** Both count from 1; the column in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The line, cut on both sides if it is long, and the range of the match in it. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}
export type Found = FoundNode | FoundHook | FoundLine;

export interface FoundGroup {
  readonly kind: FindKind;
  /** The first matches. */
  readonly found: readonly Found[];
  /** All matches, up to `mostCounted`. */
  readonly total: number;
}

/** So many matches of a group are listed, and so many are counted. */
const mostListed = 30;
export const mostCounted = 1_000;
/** Characters of a long line that are shown before and after the match. */
const before = 30;
const after = 90;

const kinds: readonly FindKind[] = ['names', 'prompts', 'settings', 'code', 'other'];

/** Finds a text, in upper or lower case. Returns groups in a fixed order, without empty ones. */
export function findInProject(folder: Folder, picture: Pick<Picture, 'graph' | 'parsed'>, query: string): FoundGroup[] {
  const wanted = query.trim();
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  const groups = new Map(kinds.map((kind) => [kind, { kind, found: [] as Found[], total: 0 }]));
  const isFull = (kind: FindKind) => (groups.get(kind)?.total ?? 0) >= mostCounted;
  const add = (kind: FindKind, make: () => Found) => {
    const group = groups.get(kind);
    if (group === undefined || isFull(kind)) return;
    group.total++;
    if (group.found.length < mostListed) group.found.push(make());
  };
  for (const found of namesOf(picture)) if (matches(pattern, found.name)) add('names', () => found);
  for (const path of [...folder.keys()].sort()) {
    const file = folder.get(path);
    if (file?.kind !== 'text') continue;
    const { text } = file;
    const role = picture.parsed.roles.get(path) ?? 'document';
    const body = role === 'card' ? bodyOf(text) : 0;
    const kindAt = (offset: number) => (offset < body ? 'settings' : kindOf(role));
    for (const match of lineMatches(pattern, text)) {
      add(kindAt(match.at), () => foundLine(path, text, match));
      if (isFull(kindOf(role))) break;
    }
  }
  return [...groups.values()].filter(({ total }) => total > 0);
}

function kindOf(role: FileRole): FindKind {
  switch (role) {
    case 'card':
    case 'skill':
      return 'prompts';
    case 'config':
    case 'secrets':
    case 'settings':
    case 'fixture':
      return 'settings';
    case 'code':
      return 'code';
    case 'document':
    case 'binary':
      return 'other';
  }
}

function* namesOf({ graph }: Pick<Picture, 'graph'>): Generator<FoundNode | FoundHook> {
  for (const { id, name } of graph.nodes) yield { is: 'node', id, name };
  for (const node of graph.nodes) {
    if (node.kind !== 'agent') continue;
    for (const { id, spec, origin } of graph.chains[node.id] ?? []) {
      // A hook of every agent is listed once for each of them, because each has it in its chain.
      if (origin !== 'run') yield { is: 'hook', file: node.file, id, name: spec, agent: node.name };
    }
  }
}

function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

interface Match {
  readonly at: number;
  readonly length: number;
  readonly line: number;
  readonly lineStart: number;
}

/** Yields the first match of each line. */
function* lineMatches(pattern: RegExp, text: string): Generator<Match> {
  let line = 1;
  let lineStart = 0;
  let from = 0;
  while (from <= text.length) {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match === null) return;
    for (
      let end = text.indexOf('\n', lineStart);
      end !== -1 && end < match.index;
      end = text.indexOf('\n', lineStart)
    ) {
      line++;
      lineStart = end + 1;
    }
    yield { at: match.index, length: match[0].length, line, lineStart };
    const next = text.indexOf('\n', match.index);
    if (next === -1) return;
    from = next + 1;
  }
}

function foundLine(file: string, text: string, { at, length, line, lineStart }: Match): FoundLine {
  const end = text.indexOf('\n', at);
  const lineEnd = end === -1 ? text.length : end;
  const start = at - lineStart > before + 10 ? at - before : lineStart;
  const stop = lineEnd - (at + length) > after + 10 ? at + length + after : lineEnd;
  const head = start === lineStart ? '' : '…';
  const shown = text.slice(start, stop).trimStart();
  const trimmed = text.slice(start, stop).length - shown.length;
  const from = head.length + at - start - trimmed;
  const cut = `${head}${shown}${stop === lineEnd ? '' : '…'}`.trimEnd();
  return { is: 'line', file, line, column: at - lineStart + 1, text: cut, from, to: from + length };
}

/** Returns where the text below the front matter of a card begins. A card in YAML is all fields. */
function bodyOf(text: string): number {
  const head = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return head === null ? text.length : head[0].length;
}
