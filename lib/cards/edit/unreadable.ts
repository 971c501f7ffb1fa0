import type { Issue } from '@/lib/base/issue';
import { configFiles } from '@/lib/cards/config-files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { FileRole, ParsedFolder } from '@/lib/cards/parsed-folder';
import { readingOf } from '@/lib/cards/project/read-folder';
import { checkBytes } from '@/lib/cards/read/check-bytes';
import { readDocument } from '@/lib/cards/read/read-field';
import { findSecrets } from '@/lib/cards/read/secrets';
import { isCardFile } from '@/lib/cards/source';

/** A card, config, secrets file or `callboard.yaml` that cannot be read now. An edit cannot see what it says. */
export interface Unreadable {
  readonly file: string;
  /** The line of the first fault. */
  readonly line: number;
}

/** Returns the fault of a config, a secrets file or `callboard.yaml`. Returns `undefined` if the file can be read, or does not exist. */
export function unreadableYaml(folder: Folder, file: string | undefined): Unreadable | undefined {
  const entry = file === undefined ? undefined : folder.get(file);
  if (file === undefined || entry === undefined) return undefined;
  if (entry.kind !== 'text') return { file, line: 1 };
  const line = faultLine(folder, file);
  const isRead = line === undefined || (readDocument(entry.text, file) !== undefined && !hasFaultyBytes(file, entry));
  return isRead ? undefined : { file, line };
}

const hasFaultyBytes = (file: string, entry: FolderFile) => checkBytes(file, entry).length > 0;

/** Returns the fault of a file that has a card if it can be read. */
export function unreadableCard(folder: Folder, { cards }: ParsedFolder, file: string): Unreadable | undefined {
  return cards.some((card) => card.file === file) ? undefined : { file, line: faultLine(folder, file) ?? 1 };
}

/** Returns the config, the secrets file in use and `callboard.yaml`, as far as they cannot be read. */
export function unreadableSettings(folder: Folder, parsed: ParsedFolder): Unreadable[] {
  const { config, settingsFile } = parsed;
  return [settingsFile, ...configFiles(config), findSecrets(parsed)].flatMap(
    (file) => unreadableYaml(folder, file) ?? [],
  );
}

/**
 * Returns a function that finds a file with one of these roles that cannot be read and has one of the texts as a word, because
 * references in it cannot follow a rename.
 */
export function unreadMentions(
  folder: Folder,
  parsed: ParsedFolder,
  roles: readonly FileRole[],
): (texts: readonly string[]) => Unreadable | undefined {
  const read = new Set(parsed.cards.map((card) => card.file));
  const cards = [...parsed.roles].flatMap(([path, role]) =>
    role === 'card' && !read.has(path) && isCardFile(path) ? [{ file: path, line: faultLine(folder, path) ?? 1 }] : [],
  );
  const unread = [...cards, ...unreadableSettings(folder, parsed)].flatMap((one) => {
    const [role, entry] = [parsed.roles.get(one.file), folder.get(one.file)];
    return role !== undefined && roles.includes(role) && entry?.kind === 'text' ? [{ one, text: entry.text }] : [];
  });
  return (words) => unread.find(({ text }) => words.some((word) => hasWord(text, word)))?.one;
}

/** A name with letters beyond ASCII may be written with escapes. */
function hasWord(text: string, word: string): boolean {
  const sign = /[\p{L}\p{N}]/u;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = [text.slice(0, at).at(-1) ?? '', text.charAt(at + word.length)];
    if (!around.some((one) => sign.test(one))) return true;
  }
  return /[^\x20-\x7e]/.test(word) && text.includes('\\');
}

/** The Issue of an edit that needs what the file says. `then` continues the sentence and names the next step. */
export function cannotRead({ file, line }: Unreadable, then: string): Issue {
  const message = `${file} cannot be read (line ${line}) ${then}`;
  return { code: 'cannot-edit', severity: 'error', stage: 'callboard', file, line, column: 1, message };
}

/** Returns the line of the first error in a file. Without one, the file can be read. */
function faultLine(folder: Folder, file: string): number | undefined {
  const entry = folder.get(file);
  const issues = entry === undefined ? [] : readingOf(file, entry).issues;
  return issues.find(({ severity }) => severity === 'error')?.line;
}
