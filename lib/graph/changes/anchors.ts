import { textLines } from '@/lib/base/text-lines';
import { configFiles, fileOfKey } from '@/lib/cards/config-files';
import type { FolderFile } from '@/lib/cards/folder';
import { type LineBlock, type LineFinder, lineFinder } from '@/lib/cards/read/line-finder';
import { findSecrets } from '@/lib/cards/read/secrets';
import type { Aligned } from './align';
import type { Anchor, Found, Place } from './capability-change';
import { type ChangedLines, changedLines } from './changed-lines';
import type { Side, Sides } from './project-side';

type Told = Omit<Found, 'at'>;
type Path = readonly (string | number)[];

/** A line, in the folder that has it. */
interface FoundLine {
  readonly side: Anchor['side'];
  readonly file: string;
  readonly line: number;
}

/**
 * Finds the line that a sentence is about: the changed line in the smallest block that has one, first in the folder after, then in the
 * one before. Of several changed lines it is the first with most of the words of the sentence, long words counting more. Where no line of the file changed, it is
 * the line of another file that made the difference, such as that of a reference to a model.
 *
 *   approvals.rules.2 ──▶ block of the rule ──▶ approvals.rules ──▶ approvals ──▶ the file ──▶ other files that changed
 */
export function anchorsIn(sides: Sides, { files, original }: Aligned): (place: Place, told: Told) => Anchor {
  const oldPaths = new Map([...files].map(([from, to]) => [to, from]));
  const finder = new AnchorFinder(sides, (file) => original.get(oldPaths.get(file) ?? file));
  return (place, told) => {
    const node = nodeOf(place, told.subject.agent, sides.after);
    const { side, file, line } = finder.find(place, wordsOf(told));
    const path = side === 'before' ? (oldPaths.get(file) ?? file) : file;
    return { side, file: path, line, ...(node === undefined ? {} : { node }) };
  };
}

class AnchorFinder {
  readonly #sides: Sides;
  readonly #originalOf: (file: string) => FolderFile | undefined;
  readonly #lines: Record<Anchor['side'], LineFinder>;
  readonly #changed = new Map<string, ChangedLines>();
  readonly #texts = new Map<string, readonly string[]>();

  /** `originalOf` finds a file as it was before the renaming, by its later path. */
  constructor(sides: Sides, originalOf: (file: string) => FolderFile | undefined) {
    this.#sides = sides;
    this.#originalOf = originalOf;
    this.#lines = { before: lineFinder(sides.before.folder), after: lineFinder(sides.after.folder) };
  }

  find(place: Place, words: readonly string[]): FoundLine {
    if ('file' in place && place.line !== undefined) return { side: 'after', file: place.file, line: place.line };
    const sides = 'gone' in place && place.gone ? (['before'] as const) : (['after', 'before'] as const);
    const keys = sides.flatMap((side) => keysOf(place, this.#sides[side]).map((key) => ({ side, ...key })));
    const longest = Math.max(0, ...keys.map(({ path }) => path.length));
    for (let length = longest; length >= 0; length -= 1) {
      // In a whole file, a line with a word of the sentence counts before the first changed one.
      for (const least of length === 0 ? [1, 0] : [0]) {
        for (const { side, file, path } of keys) {
          if (path.length < length) continue;
          const line = this.#changedLine(side, file, path.slice(0, length), words, least);
          if (line !== undefined) return { side, file, line };
        }
      }
    }
    return this.#elsewhere(words) ?? this.#written(keys) ?? fallback(place, this.#sides.after);
  }

  /** Returns the changed line of a block that has most of the words. An empty path is the whole file. */
  #changedLine(
    side: Anchor['side'],
    file: string,
    path: Path,
    words: readonly string[],
    least = 0,
  ): number | undefined {
    if (!this.#sides[side].folder.has(file)) return undefined;
    const block = path.length === 0 ? everything : this.#lines[side].blockOf(file, path);
    if (block === undefined) return undefined;
    const lines = this.#textOf(side, file);
    let [best, most] = [undefined as number | undefined, least - 1];
    let seen = 0;
    for (const line of this.#changedIn(file)[side]) {
      seen += 1;
      if (seen > mostLooked) break;
      if (line < block.from || line > block.to) continue;
      const text = lines[line - 1] ?? '';
      const score = words.reduce((sum, word) => (text.includes(word) ? sum + word.length : sum), 0);
      if (score > most && text.trim() !== '') [best, most] = [line, score];
    }
    return best;
  }

  /** Looks in all files of settings and cards for a changed line with at least one of the words. */
  #elsewhere(words: readonly string[]): FoundLine | undefined {
    for (const side of ['after', 'before'] as const) {
      const { parsed } = this.#sides[side];
      const files = [...filesOfConfig(this.#sides[side]), parsed.settingsFile, ...parsed.cards.map(({ file }) => file)];
      for (const file of files) {
        const line = file === undefined ? undefined : this.#changedLine(side, file, [], words, 1);
        if (file !== undefined && line !== undefined) return { side, file, line };
      }
    }
    return undefined;
  }

  /** Returns the line of the key, or of the nearest key above it. */
  #written(keys: readonly (FileKey & Pick<FoundLine, 'side'>)[]): FoundLine | undefined {
    for (const { side, file, path } of keys) {
      if (!this.#sides[side].folder.has(file)) continue;
      for (let length = path.length; length > 0; length -= 1) {
        const line = this.#lines[side].ofKey(file, path.slice(0, length));
        if (line !== undefined) return { side, file, line };
      }
      if (this.#sides[side].parsed.settingsFile !== file) return { side, file, line: 1 };
    }
    return undefined;
  }

  #changedIn(file: string): ChangedLines {
    const known = this.#changed.get(file);
    if (known !== undefined) return known;
    const found = changedLines(textIn(this.#originalOf(file)), textIn(this.#sides.after.folder.get(file)));
    this.#changed.set(file, found);
    return found;
  }

  #textOf(side: Anchor['side'], file: string): readonly string[] {
    const key = `${side} ${file}`;
    const lines =
      this.#texts.get(key) ?? textLines(textIn(this.#sides[side].folder.get(file)) ?? '').map(({ text }) => text);
    this.#texts.set(key, lines);
    return lines;
  }
}

/** In a file with more changed lines, the first ones are looked at. */
const mostLooked = 5_000;
const everything: LineBlock = { from: 1, to: Infinity };

function textIn(file: FolderFile | undefined): string | undefined {
  return file?.kind === 'text' ? file.text : undefined;
}

/** Returns the names and values that the sentence quotes, and those that it is about. */
function wordsOf({ sentence, subject, before, after }: Told): string[] {
  const quotes = [...sentence.matchAll(/'([^']+)'|\$\{(\w+)\}/g)].map(([, quote, variable]) => quote ?? variable ?? '');
  const { agent, hook, tool, server, file, field } = subject;
  const known = [agent, hook, tool, server, file, field?.split('.').at(-1), before, after, ...quotes];
  return [...new Set(known.flatMap((word) => (word === undefined || word === '' ? [] : [word])))];
}

interface FileKey {
  readonly file: string;
  readonly path: Path;
}

/** Where a place may be written: the secrets file counts before the config, because it replaces what that says. */
function keysOf(place: Place, side: Side): FileKey[] {
  const { cards, parsed } = side;
  const inConfig = (path: Path) => filesOfConfig(side).map((file): FileKey => ({ file, path }));
  if ('file' in place) return [{ file: place.file, path: [] }];
  if ('agent' in place) {
    const file = cards.get(place.agent)?.file;
    return file === undefined ? [] : [{ file, path: place.path ?? [] }];
  }
  if ('settings' in place) {
    return parsed.settingsFile === undefined ? [] : [{ file: parsed.settingsFile, path: place.settings }];
  }
  if ('config' in place) return inConfig(place.config);
  const { server, by, path = [] } = place;
  if (by === undefined && Object.hasOwn(parsed.config.servers, server)) {
    return inConfig(['mcp', 'servers', server, ...path]);
  }
  const connecting = parsed.cards.find(
    (one) =>
      one.type === 'agent' &&
      (by === undefined || one.name === by) &&
      one.mcpConnect.some(({ name }) => name === server),
  );
  return connecting === undefined ? [] : [{ file: connecting.file, path: ['mcp_connect', server] }];
}

function filesOfConfig({ parsed }: Side): readonly string[] {
  const secrets = findSecrets(parsed);
  return [...(secrets === undefined ? [] : [secrets]), ...configFiles(parsed.config)];
}

function fallback(place: Place, { cards, parsed }: Side): FoundLine {
  const at = (file: string): FoundLine => ({ side: 'after', file, line: 1 });
  if ('agent' in place) return at(cards.get(place.agent)?.file ?? '');
  if ('file' in place) return at(place.file);
  if ('settings' in place) return at(parsed.settingsFile ?? 'callboard.yaml');
  const file = 'config' in place ? fileOfKey(parsed.config, place.config) : parsed.config.file;
  return at(file ?? 'fast-agent.yaml');
}

function nodeOf(place: Place, agent: string | undefined, { cards }: Side): string | undefined {
  if ('server' in place) return `server:${place.server}`;
  const name = 'agent' in place ? place.agent : agent;
  return name === undefined || !cards.has(name) ? undefined : `agent:${name}`;
}
