import { escapeHidden } from '@/lib/base/escape-hidden';
import type { Issue } from '@/lib/base/issue';
import { type HiddenCharacter, hiddenCharacter, hiddenPattern, type TextUse } from '@/lib/base/visible-text';
import { isIgnoredFolder } from '@/lib/cards/file-role';
import { isFixtureFile } from '@/lib/cards/fixture-files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { LineIndex, type Position } from '@/lib/cards/line-index';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { lineFinder } from '@/lib/cards/read/line-finder';
import { namesIn, placeOfName } from './names-in';

/**
 * Reports characters that nobody sees where they can make code, a name or an instruction read differently from what runs:
 * those that turn the direction of text, those without a width, and those that end a line unnoticed.
 */
export function checkHidden(folder: Folder, parsed: Pick<ParsedFolder, 'roles' | 'cards' | 'config'>): Issue[] {
  const agents = new Map(parsed.cards.map(({ file, name }) => [file, name]));
  const texts = hiddenCharacters(folder, parsed).map(({ file, ...found }) =>
    makeIssue('hidden-characters', { file, ...found.place, agent: agents.get(file) }, textMessage(found)),
  );
  const lines = lineFinder(folder);
  const names = namesIn(folder, parsed).flatMap((given) => {
    if (!mayHide.test(given.name)) return [];
    const file = folder.get(given.file);
    const said = given.what === 'file' || file?.kind !== 'text' ? undefined : hiddenIn(given.file, file);
    const [first] = [...harmful(given.name, 'exact')].filter(({ hidden }) => !said?.has(hidden.name));
    if (first === undefined) return [];
    const { code, name: called } = first.hidden;
    const text = `The name '${escapeHidden(given.name)}' of the ${given.what} has ${code} (${called}), which nobody sees. Write the name again without it.`;
    return [makeIssue('hidden-characters', placeOfName(given, lines), text)];
  });
  return [...texts, ...names];
}

/** Finds each kind of character in each text that is read, with its first place. */
export function hiddenCharacters(folder: Folder, parsed: Pick<ParsedFolder, 'roles'>): readonly FoundInFile[] {
  return [...folder].flatMap(([path, file]) => {
    if (file.kind !== 'text' || !isRead(path, parsed)) return [];
    return [...hiddenIn(path, file).values()].map((found) => ({ file: path, ...found }));
  });
}

interface FoundInFile extends Found {
  readonly file: string;
}

interface Found {
  readonly character: HiddenCharacter;
  readonly count: number;
  readonly place: Position;
}

/** What was found in file objects that are still in use, so that after an edit of one file only that file is read again. */
const byFile = new WeakMap<FolderFile, { readonly path: string; readonly found: ReadonlyMap<string, Found> }>();

/** Of a file with thousands of them, the first ones tell enough. */
const mostCounted = 1_000;

/** Returns each kind of character with its first place. */
function hiddenIn(path: string, file: FolderFile & { readonly kind: 'text' }): ReadonlyMap<string, Found> {
  const known = byFile.get(file);
  if (known?.path === path) return known.found;
  const found = new Map<string, Found>();
  const lines = new LineIndex(file.text);
  const use = /\.(?:[cm]?[jt]sx?|py)$/i.test(path) ? 'exact' : 'prose';
  let total = 0;
  for (const { hidden, at } of harmful(file.text, use)) {
    const { count = 0, place = lines.positionOf(at) } = found.get(hidden.name) ?? {};
    found.set(hidden.name, { character: hidden, count: count + 1, place });
    total += 1;
    if (total === mostCounted) break;
  }
  byFile.set(file, { path, found });
  return found;
}

/** A test that is quick for the usual text, which has none of them. */
const mayHide = /\r(?!\n)|[\u0085\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Other spaces and other controls are left out, because they are usual in text from the web and in old code. */
function* harmful(text: string, use: TextUse): Generator<{ readonly hidden: HiddenCharacter; readonly at: number }> {
  if (!mayHide.test(text)) return;
  for (const { 0: character, index } of text.matchAll(hiddenPattern(use))) {
    const hidden = hiddenCharacter(character);
    const isByteOrderMark = index === 0 && hidden.code === 'U+FEFF';
    if (hidden.kind !== 'space' && hidden.kind !== 'control' && !isByteOrderMark) yield { hidden, at: index };
  }
}

function textMessage({ character: { code, name }, count }: Found): string {
  const times =
    count > 1 ? `, ${count === mostCounted ? 'a thousand times or more' : `${count} times`}, first here` : '';
  return `The text has ${code} (${name})${times}. Nobody sees it, and what runs may differ from what is read. Remove it, or write it as an escape.`;
}

/** Data, tests, secrets and installed packages are left out. */
function isRead(path: string, { roles }: Pick<ParsedFolder, 'roles'>): boolean {
  const role = roles.get(path);
  if (role === 'secrets' || role === 'fixture' || isFixtureFile(path) || isIgnoredFolder(path)) return false;
  return role !== 'document' || !/\.(?:csv|tsv|jsonl|ndjson|xml|html?|svg|po|xlf|srt|vtt|ics|vcf|log)$/i.test(path);
}
