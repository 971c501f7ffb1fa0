import type { Issue } from '@/lib/base/issue';
import { ok, type Result } from '@/lib/base/result';
import { renamedAgentFile } from '@/lib/cards/edit/agent-file';
import { followName, renameAgent } from '@/lib/cards/edit/rename-agent';
import { renameFile } from '@/lib/cards/edit/rename-file';
import { checkPath } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder, readingOf } from '@/lib/cards/project/read-folder';
import { fileChanges } from './compose';
import { changesBetween, type EditedDocument, type FileChanges, withChanges } from './document';

/** What follows the new name of an agent. */
export interface Followed {
  readonly changes: FileChanges;
  /** A sentence about what could not follow. */
  readonly said?: string;
}

/** Renames an agent, with references to it and with its file. `file` identifies the card when two cards have the same name. */
export function renameWithFile(folder: Folder, from: string, to: string, file?: string): Result<Followed, Issue> {
  const renamed = renameAgent(folder, from, to, file);
  if (!renamed.ok) return renamed;
  const card = readFolder(folder).cards.find((one) => one.name === from && one.file === (file ?? one.file));
  return ok(withAgentFile(folder, fileChanges(renamed.value), { file: card?.file ?? '', from, to }));
}

/**
 * Lets everything follow a name that was changed in the text of `file`, whose agent was `from`: references in other cards and in
 * `callboard.yaml`, and the name of the file. Nothing follows while the card cannot be read. The error is that of `followName`.
 */
export function followAgent(folder: Folder, file: string, from: string): Result<Followed, Issue> {
  const { cards } = readFolder(folder);
  const to = cards.find((card) => card.file === file)?.name;
  if (to === undefined || to === from) return ok({ changes: new Map() });
  const references = followName(folder, file, from);
  if (!references.ok) return references;
  const changes = fileChanges(references.value);
  const isTaken = cards.some((card) => card.file !== file && card.name === to);
  return ok(isTaken ? { changes } : withAgentFile(folder, changes, { file, from, to }));
}

/**
 * Adds the new name of a card's file to the changes that rename its agent, with everything that names the file. A file with another
 * name than its agent keeps it. If the new name is not free, the file stays, and `said` tells so.
 */
export function withAgentFile(
  folder: Folder,
  changes: FileChanges,
  { file, from, to }: { readonly file: string; readonly from: string; readonly to: string },
): Followed {
  const next = renamedAgentFile(file, from, to);
  const now = withChanges(folder, changes);
  const card = now.get(file);
  if (next === undefined || card === undefined) return { changes };
  const isTaken = [...now.keys()].some((path) => path !== file && path.toLowerCase() === next.toLowerCase());
  if (isTaken) return { changes, said: `The file of '${to}' stays ${file}, because there is a file ${next} already.` };
  // Some names give a file another role.
  if (checkPath(next) !== undefined || readingOf(next, card).card === undefined) return { changes };
  const moved = renameFile(now, file, next);
  if (!moved.ok) return { changes, said: `The file of '${to}' stays ${file}. ${moved.error.message}` };
  return { changes: changesBetween(folder, withChanges(now, moved.value)) };
}

/**
 * Returns changes that make cards readable again, together with what follows the names that the cards got while they could not be
 * read. Returns `undefined` if no name changed meanwhile.
 */
export function followCorrected(document: EditedDocument, changes: FileChanges): Followed | undefined {
  const corrected = [...changes.keys()].flatMap((file) => {
    const from = nameBeforeCorrection(document, file, changes);
    return from === undefined ? [] : [{ file, from }];
  });
  if (corrected.length === 0) return undefined;
  let now = withChanges(document.folder, changes);
  const said: string[] = [];
  for (const { file, from } of corrected) {
    const followed = followAgent(now, file, from);
    if (!followed.ok) said.push(followed.error.message);
    else {
      now = withChanges(now, followed.value.changes);
      if (followed.value.said !== undefined) said.push(followed.value.said);
    }
  }
  return { changes: changesBetween(document.folder, now), ...(said.length > 0 && { said: said.join(' ') }) };
}

/**
 * Returns the name of an agent before an edit that makes its card readable again, or `undefined` if nothing has to follow: the card
 * could be read before, has the same name, or is another card by more than half of its lines.
 */
function nameBeforeCorrection(document: EditedDocument, file: string, changes: FileChanges): string | undefined {
  const [was, now] = [document.folder.get(file), changes.get(file)];
  if (was?.kind !== 'text' || now?.kind !== 'text' || readingOf(file, was).card !== undefined) return undefined;
  const card = readingOf(file, now).card?.card;
  const known = card === undefined ? undefined : lastKnown(document, file);
  if (known === undefined || known.name === card?.name || !isSameCard(known.text, now.text)) return undefined;
  return known.name;
}

/** The name of an agent in the newest text of its card that can be read, otherwise its probable name in the oldest text. */
function lastKnown({ folder, past }: EditedDocument, file: string) {
  let oldest = folder.get(file);
  for (const { before } of past.toReversed()) {
    if (!before.has(file)) continue;
    const one = before.get(file);
    if (one?.kind !== 'text') break;
    const card = readingOf(file, one).card?.card;
    if (card !== undefined) return { name: card.name, text: one.text };
    oldest = one;
  }
  if (oldest?.kind !== 'text') return undefined;
  const name = readingOf(file, oldest).unread?.name;
  return name === undefined ? undefined : { name, text: oldest.text };
}

/** True if at least half of the lines of the shorter text are in both. The name and the marks of the front matter do not count. */
function isSameCard(before: string, after: string): boolean {
  const lines = (text: string) =>
    new Set(text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^(---|["']?name["']?\s*:)/.test(line)));
  const [was, is] = [lines(before), lines(after)];
  const common = [...was].filter((line) => is.has(line)).length;
  return common * 2 >= Math.min(was.size, is.size);
}
