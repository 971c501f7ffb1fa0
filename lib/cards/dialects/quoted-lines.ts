import { isRecord } from '@/lib/base/json';
import { parseYaml, type YamlSource } from '@/lib/cards/yaml/yaml-source';

/**
 * Front matter as other programs accept it: a line such as `description: Use it when: the build fails` is no YAML, because of
 * its second colon, and they read the rest of the line as a text. While the text is read or edited, such a value is covered by a
 * quoted text of the same length, so that everything keeps its place:
 *
 *     description: Use it when: it fails   ──cover──▶   description: "0                 "   ──uncover──▶   as before
 */
export interface CoveredText {
  readonly yaml: YamlSource;
  /** The text with its covers, for an edit. */
  readonly text: string;
  /** Returns a text, after an edit, with the covered lines as they were written. */
  uncover(text: string): string;
}

const topLine = /^([A-Za-z_][\w-]*):[ \t]+(\S.*?)[ \t]*(\r?)$/gm;
/** Text that may be meant as it is, though it cannot be read as YAML. A block (`|`, `>`) and a quoted text are not covered. */
const plainStart = /^[^|>"'\n]/;

/** Reads YAML, and lines that are not YAML as texts. Faults that remain are those of the text as it is written. */
export function coverLines(text: string, offset: number): CoveredText {
  const yaml = parseYaml({ text, offset });
  if (yaml.faults.length === 0) return { yaml, text, uncover: (edited) => edited };
  const originals: string[] = [];
  const covered = text.replace(topLine, (line: string, _key: string, value: string, end: string) => {
    if (!plainStart.test(value) || parseYaml({ text: line, offset: 0 }).faults.length === 0) return line;
    const cover = coverOf(originals.length, value.length);
    if (cover === undefined) return line;
    originals.push(value);
    return line.slice(0, line.length - end.length).replace(value, () => `"${cover}"`) + end;
  });
  const again = parseYaml({ text: covered, offset });
  if (originals.length === 0 || again.faults.length > 0) return { yaml, text, uncover: (edited) => edited };
  return {
    yaml: { ...again, value: uncovered(again.value, originals) },
    text: covered,
    uncover: (edited) =>
      originals.reduce((now, value, index) => now.replace(`"${coverOf(index, value.length)}"`, () => value), edited),
  };
}

/** Private characters stand in no file that people write. `undefined` if the value is too short to be covered. */
function coverOf(index: number, length: number): string | undefined {
  const word = `\ue000${index}\ue000`;
  return word.length + 2 > length ? undefined : word.padEnd(length - 2);
}

function uncovered(value: unknown, originals: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const covers = new Map(originals.map((original, index) => [coverOf(index, original.length), original]));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? (covers.get(one) ?? one) : one]),
  );
}
