import { diffArrays } from 'diff';

/** A part of three texts, as lines with their ends. All parts of one side together are the text of that side. */
export interface Chunk {
  /** `mine` and `theirs` name the only side that changed the part; `both` made the same change; a `clash` needs a person. */
  readonly kind: 'same' | 'mine' | 'theirs' | 'both' | 'clash';
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** With more changes than this on one side, the whole text is one clash, because the search would freeze the page. */
const maxChanges = 1_000;

/** Lines `start` to `end` of the base, not included, were replaced. */
interface Hunk {
  readonly side: 'mine' | 'theirs';
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Lays two changed texts over the text that both began with (diff3).
 *
 *   base    a  b  c  d  e  f
 *   mine    a  B  c  d  e  f       ─▶  a same · b mine · c d same · e theirs · f same
 *   theirs  a  b  c  d  E  f
 *
 * Changes of both sides that overlap or touch are one clash, unless they are the same change.
 */
export function mergeLines(base: string, mine: string, theirs: string): readonly Chunk[] {
  const from = linesOf(base);
  const my = hunksOf('mine', from, linesOf(mine));
  const their = hunksOf('theirs', from, linesOf(theirs));
  if (my === undefined || their === undefined) {
    const sides = { base: from, mine: linesOf(mine), theirs: linesOf(theirs) };
    return [{ kind: sameLines(sides.mine, sides.theirs) ? 'both' : 'clash', ...sides }];
  }
  const chunks: Chunk[] = [];
  let at = 0;
  for (const group of touching([...my, ...their])) {
    const start = Math.min(...group.map((hunk) => hunk.start));
    const end = Math.max(...group.map((hunk) => hunk.end));
    if (start > at) chunks.push(unchanged(from.slice(at, start)));
    chunks.push(chunkOf(from, { start, end }, group));
    at = end;
  }
  if (at < from.length) chunks.push(unchanged(from.slice(at)));
  return chunks;
}

/** Returns the text with the changes of both sides, or `undefined` if a part needs a person. */
export function mergedText(chunks: readonly Chunk[]): string | undefined {
  if (chunks.some(({ kind }) => kind === 'clash')) return undefined;
  return chunks.map((chunk) => linesTaken(chunk).join('')).join('');
}

/** The names of two sides in the marks of a text. */
export interface MarkNames {
  readonly mine: string;
  readonly theirs: string;
}

const mark = /^(?:<{7}|>{7}) (?:mine|theirs|draft|live)$/;

/** Returns the text with the changes of both sides. A part that needs a person has both versions between marks. */
export function markedText(chunks: readonly Chunk[], names: MarkNames = { mine: 'mine', theirs: 'theirs' }): string {
  return chunks
    .map((chunk) => {
      if (chunk.kind !== 'clash') return linesTaken(chunk).join('');
      return `<<<<<<< ${names.mine}\n${ended(chunk.mine)}=======\n${ended(chunk.theirs)}>>>>>>> ${names.theirs}\n`;
    })
    .join('');
}

/** True if a mark that `markedText` wrote is still in the text. */
export function hasClashMarks(text: string): boolean {
  return text.split('\n').some((line) => mark.test(line));
}

function linesTaken({ kind, base, mine, theirs }: Chunk): readonly string[] {
  return kind === 'same' ? base : kind === 'theirs' ? theirs : mine;
}

function ended(lines: readonly string[]): string {
  const text = lines.join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Splits a text after each line end, so that a last line without one differs from the same line with one. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function hunksOf(side: Hunk['side'], base: readonly string[], changed: readonly string[]): Hunk[] | undefined {
  const parts = diffArrays([...base], [...changed], { maxEditLength: maxChanges });
  if (parts === undefined) return undefined;
  const hunks: Hunk[] = [];
  let at = 0;
  for (const { added, removed, value } of parts) {
    const end = added ? at : at + value.length;
    const last = hunks.at(-1);
    if (added || removed) {
      const lines = added ? value : [];
      if (last?.end === at) hunks.splice(-1, 1, { ...last, end, lines: [...last.lines, ...lines] });
      else hunks.push({ side, start: at, end, lines });
    }
    at = end;
  }
  return hunks;
}

/** Groups hunks that overlap or touch. */
function touching(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const groups: Hunk[][] = [];
  let end = -1;
  for (const hunk of hunks.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (hunk.start <= end) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
    end = Math.max(end, hunk.end);
  }
  return groups;
}

function chunkOf(base: readonly string[], range: { start: number; end: number }, group: readonly Hunk[]): Chunk {
  const of = (side: Hunk['side']) =>
    applied(
      base,
      range,
      group.filter((hunk) => hunk.side === side),
    );
  const sides = { base: base.slice(range.start, range.end), mine: of('mine'), theirs: of('theirs') };
  const [first, ...others] = new Set(group.map(({ side }) => side));
  if (first !== undefined && others.length === 0) return { kind: first, ...sides };
  return { kind: sameLines(sides.mine, sides.theirs) ? 'both' : 'clash', ...sides };
}

/** Returns the lines of one side in a range of the base. */
function applied(base: readonly string[], range: { start: number; end: number }, hunks: readonly Hunk[]): string[] {
  const lines: string[] = [];
  let at = range.start;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  return [...lines, ...base.slice(at, range.end)];
}

function unchanged(lines: readonly string[]): Chunk {
  return { kind: 'same', base: lines, mine: lines, theirs: lines };
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
