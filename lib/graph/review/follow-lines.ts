import { diffArrays } from 'diff';
import { textLines } from '@/lib/base/text-lines';

/** The first and the last line, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** With more changes than this, lines are only found again if they are unique. */
const maxChanges = 2_000;

/** Returns the lines of a text. Line feeds are left out; whatever else ends a line is a part of it. */
export function linesOf(text: string): readonly string[] {
  return wholeLines(text).map(withoutLineFeed);
}

/** Returns lines as one text, or `undefined` if the text has fewer. */
export function linesAt(text: string, { from, to }: LineRange): string | undefined {
  const lines = wholeLines(text);
  const last = lines[to - 1];
  return last === undefined ? undefined : lines.slice(from - 1, to - 1).join('') + withoutLineFeed(last);
}

function wholeLines(text: string): readonly string[] {
  return textLines(text).map((line) => line.text + line.end);
}

function withoutLineFeed(text: string): string {
  return text.replace(/\n$/, '');
}

/**
 * Finds where lines of a text are in a later text. Returns `undefined` if one of them was changed or removed, or if something was put
 * between them.
 */
export function followLines(before: string, after: string, range: LineRange): LineRange | undefined {
  const wanted = linesAt(before, range);
  if (wanted === undefined) return undefined;
  if (before === after) return range;
  const [a, b] = [linesOf(before), linesOf(after)];
  const changes = diffArrays([...a], [...b], { maxEditLength: maxChanges });
  if (changes === undefined) return onlyPlace(b, linesOf(wanted));
  let [old, now] = [1, 1];
  for (const { added, removed, count } of changes) {
    if (added) now += count;
    else if (removed) old += count;
    else {
      if (range.from >= old && range.to < old + count) {
        const moved = now - old;
        return { from: range.from + moved, to: range.to + moved };
      }
      old += count;
      now += count;
    }
  }
  return undefined;
}

function onlyPlace(lines: readonly string[], wanted: readonly string[]): LineRange | undefined {
  let found: LineRange | undefined;
  for (let start = 0; start + wanted.length <= lines.length; start += 1) {
    if (!wanted.every((line, index) => lines[start + index] === line)) continue;
    if (found !== undefined) return undefined;
    found = { from: start + 1, to: start + wanted.length };
  }
  return found;
}

/** Puts a text in place of lines. An empty text removes them. */
export function replaceLines(text: string, { from, to }: LineRange, by: string): string {
  const lines = wholeLines(text);
  const [head, tail] = [lines.slice(0, from - 1).join(''), lines.slice(to)];
  if (tail.length === 0) return by === '' ? withoutLineFeed(head) : head + withoutLineFeed(by);
  return `${head}${by === '' ? '' : `${withoutLineFeed(by)}\n`}${tail.join('')}`;
}
