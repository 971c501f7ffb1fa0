import { isRecord } from '@/lib/base/json';
import { parseYaml, type YamlSource } from '@/lib/cards/yaml/yaml-source';

/**
 * Front matter as other programs accept it: a line such as `description: Use it when: the build fails` is no YAML, because of
 * its second colon, and they read the rest of the line as a text. While the text is read or edited, such a value is covered by a
 * text of the same length, so that everything keeps its place. `#` stands for a private character; the key of the line says which
 * value it covers:
 *
 *     description: Use it when: it fails   ──cover──▶   description: "###################"   ──uncover──▶   as before
 *     tools: *                             ──cover──▶   tools: #                              ──uncover──▶   as before
 */
export interface CoveredText {
  readonly yaml: YamlSource;
  /** The text with its covers, for an edit. */
  readonly text: string;
  /** Returns a text, after an edit, with the covered lines as they were written. */
  uncover(text: string): string;
}

const topLine = /^([A-Za-z_][\w-]*)(:[ \t]+)(\S.*?)([ \t]*\r?)$/gm;

/** Reads YAML, and lines that are not YAML as texts. Faults that remain are those of the text as it is written. */
export function coverLines(text: string, offset: number): CoveredText {
  const yaml = parseYaml({ text, offset });
  const plain: CoveredText = { yaml, text, uncover: (edited) => edited };
  if (yaml.faults.length === 0) return plain;
  const originals = new Map<string, string>();
  const covered = text.replace(topLine, (line: string, key: string, colon: string, value: string, end: string) => {
    if (!mayBeText(value) || originals.has(key)) return line;
    if (parseYaml({ text: line.trimEnd(), offset: 0 }).faults.length === 0) return line;
    originals.set(key, value);
    return `${key}${colon}${printedCover(value)}${end}`;
  });
  const again = parseYaml({ text: covered, offset });
  if (originals.size === 0 || again.faults.length > 0 || !isCovered(again.value, originals)) return plain;
  return {
    yaml: { ...again, value: uncovered(again.value, originals) },
    text: covered,
    uncover: (edited) =>
      edited.replace(topLine, (line: string, key: string, colon: string, value: string, end: string) => {
        const original = originals.get(key);
        return original !== undefined && value === printedCover(original) ? `${key}${colon}${original}${end}` : line;
      }),
  };
}

/** A block (`|`, `>`) and a quoted text are meant as YAML. A text whose first quote closes in the middle of the line is not quoted. */
function mayBeText(value: string): boolean {
  const [first = ''] = value;
  if (first === '|' || first === '>') return false;
  return (first !== '"' && first !== "'") || (value.includes(first, 1) && !value.endsWith(first));
}

/** Private characters stand in no file that people write. A value too short for quotes is covered without them. */
function printedCover(value: string): string {
  return value.length > 2 ? `"${coverOf(value)}"` : coverOf(value);
}

function coverOf({ length }: string): string {
  return '\ue000'.repeat(length > 2 ? length - 2 : length);
}

/** False if a value goes on in the next line. */
function isCovered(value: unknown, originals: ReadonlyMap<string, string>): boolean {
  return isRecord(value) && [...originals].every(([key, original]) => value[key] === coverOf(original));
}

function uncovered(value: unknown, originals: ReadonlyMap<string, string>): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, originals.get(key) ?? one]));
}
