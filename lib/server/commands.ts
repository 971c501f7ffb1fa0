import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { commandChanges } from '@/lib/cards/trust/command-changes';
import { commandWarnings } from '@/lib/cards/trust/command-warnings';
import {
  type CommandDecision,
  type CommandRow,
  type CommandStatus,
  decideCommandRow,
  findApprovedBefore,
  findCommandRow,
  listCommandRows,
  putCommands,
} from '@/lib/store/commands';
import type { Store } from '@/lib/store/database';
import { type FilesTarget, findFiles } from './run-target';
import { withStore, withStoreOnce } from './services';
import { unapprovedOf } from './trust';

/** A command as an administrator sees it. */
export interface ShownCommand extends CommandRow {
  /** What makes it risky, one sentence each. */
  readonly warnings: readonly string[];
  /** For one that waits: what is different from the one that was approved before; `undefined` if there was none. */
  readonly changes: readonly string[] | undefined;
}

/** Lists commands, those that are asked for first. Throws AppError `not_allowed`. */
export async function listCommands(
  actor: Actor,
  filter: { readonly status?: CommandStatus | undefined; readonly limit: number },
): Promise<readonly ShownCommand[]> {
  return await withStore(actor, 'installation.commands', 'installation', async (store) => {
    const rows = await listCommandRows(store, filter);
    return await Promise.all(rows.map((row) => shown(store, row)));
  });
}

/**
 * Approves, denies or revokes a command, and returns it. Throws AppError `not_found`, `not_allowed`, and `conflict` if it is decided
 * already.
 */
export async function decideCommand(
  actor: Actor,
  id: string,
  decision: { readonly decision: CommandDecision; readonly note: string },
): Promise<ShownCommand> {
  return await withStoreOnce(actor, 'installation.commands', 'installation', async ({ store }) => {
    const isDecided = await decideCommandRow(store, id, decision, actor);
    const row = await findCommandRow(store, id);
    if (row === undefined)
      throw new AppError('not_found', 'There is no such command. Its list may be old; load it again.');
    if (!isDecided) throw new AppError('conflict', `This command is ${row.status} by now. Load the list again.`);
    return await shown(store, row);
  });
}

/**
 * Asks administrators to approve what the chosen files start: those of `main`, unless the target names a draft, a revision, a label or the
 * files. What is approved stays approved.
 */
export async function askForCommands(actor: Actor, project: ProjectId, target?: FilesTarget): Promise<void> {
  await withStoreOnce(actor, 'run.start', { project }, async ({ store }) => {
    const commands = await unapproved(store, project, target);
    await putCommands(store, { project, commands, status: 'asked' }, actor);
  });
}

/**
 * Approves commands of the chosen files at once. `ids` are those that the administrator has seen. Throws AppError `conflict` if the files
 * need others by now.
 */
export async function approveCommands(
  actor: Actor,
  project: ProjectId,
  ids: readonly string[],
  target?: FilesTarget,
): Promise<void> {
  await withStoreOnce(actor, 'installation.commands', 'installation', async ({ store }) => {
    const commands = await unapproved(store, project, target);
    const seen = new Set(ids);
    if (commands.some(({ id }) => !seen.has(id))) {
      throw new AppError(
        'conflict',
        'What this folder starts has changed since you saw it. Read the list again, then approve.',
      );
    }
    await putCommands(store, { project, commands, status: 'approved' }, actor);
  });
}

const mostFileChars = 200_000;

/**
 * Returns the text of a file that a command may load, as it was when it was asked for; of a long one the beginning. Throws AppError
 * `not_found` once it is no longer stored.
 */
export async function readCommandFile(actor: Actor, id: string, path: string): Promise<string> {
  return await withStore(actor, 'installation.commands', 'installation', async (store) => {
    const row = await findCommandRow(store, id);
    const file = row?.files.find((each) => each.path === path);
    const blob = file && (await store.prisma.blob.findUnique({ where: { hash: file.hash } }));
    if (!blob) throw new AppError('not_found', 'This file is not stored any more: its project has other content now.');
    return new TextDecoder().decode(blob.bytes).slice(0, mostFileChars);
  });
}

async function unapproved(store: Store, project: ProjectId, target: FilesTarget | undefined) {
  const { treeHash } = await findFiles(store, project, target);
  return await unapprovedOf(store, project, treeHash);
}

async function shown(store: Store, row: CommandRow): Promise<ShownCommand> {
  const before = row.status === 'asked' ? await findApprovedBefore(store, row) : undefined;
  return { ...row, warnings: commandWarnings(row), changes: before && commandChanges(before, row) };
}
