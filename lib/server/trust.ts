import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { decide } from '@/lib/base/rights';
import {
  type Capability,
  type CapabilityChange,
  type CapabilityList,
  changesSince,
  isConfirmed,
} from '@/lib/cards/trust/capability';
import type { Command } from '@/lib/cards/trust/command';
import { commandWarnings } from '@/lib/cards/trust/command-warnings';
import { confirmedForRun, type StartRules } from '@/lib/jobs/start/confirmed-for-run';
import { type BoundCommand, boundCommands } from '@/lib/store/bound-commands';
import { type CommandStatus, findCommandStates, findUnapproved } from '@/lib/store/commands';
import type { Store } from '@/lib/store/database';
import { findDrafts } from '@/lib/store/drafts';
import { findProject, type ProjectRow } from '@/lib/store/projects';
import { findLabelledTrees } from '@/lib/store/releases';
import { capabilitiesOfTree } from '@/lib/store/tree-capabilities';
import { findTreeIssue } from '@/lib/store/tree-summaries';
import { readTree } from '@/lib/store/trees';
import { findConfirmedLists, insertConfirmedList, needsConfirmation, type ProjectOrigin } from '@/lib/store/trust';
import { webReader } from './reading/web-reader';
import { type FilesTarget, findFiles } from './run-target';
import { withStore, withStoreOnce } from './services';
import { accountsAreOn } from './settings/process-env';

/** What runs of a project would start or call, and whether that is confirmed. */
export interface ProjectTrust {
  readonly origin: ProjectOrigin;
  /**
   * - `own`: the project needs no confirmation.
   * - `nothing`: there is nothing to confirm.
   * - `confirmed`, `unconfirmed`: whether a person has confirmed the current list.
   */
  readonly state: 'own' | 'nothing' | 'confirmed' | 'unconfirmed';
  /** The SHA-256 of the list. */
  readonly hash: string;
  /** Each item with its change since the last confirmed list. */
  readonly items: readonly (Capability & { readonly change: CapabilityChange })[];
  readonly models: CapabilityList['models'];
  /** What needs the approval of an administrator; empty without accounts. */
  readonly commands: readonly TrustCommand[];
  /** True if the actor may approve commands. */
  readonly mayApprove: boolean;
  /** The time at which a list of this project was last confirmed. */
  readonly confirmedAt: Date | undefined;
}

/** A command of a project. `new`: nobody has asked for it yet. */
export interface TrustCommand extends Pick<Command, 'kind' | 'name' | 'command' | 'args' | 'environment' | 'usedBy'> {
  readonly id: string;
  readonly status: CommandStatus | 'new';
  readonly note: string;
  /** Who asked or decided last. */
  readonly by: string | undefined;
  readonly warnings: readonly string[];
}

/** Returns the trust of the draft `main`, or of the files of `target`. Throws AppError `not_found`. */
export async function readTrust(actor: Actor, projectId: ProjectId, target?: FilesTarget): Promise<ProjectTrust> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    return await trustOf(store, actor, await findFiles(store, projectId, target));
  });
}

/**
 * Returns only the state. Reads no files if the project needs no confirmation. A folder that cannot be read in time is
 * `unconfirmed`.
 */
export async function readTrustState(
  actor: Actor,
  projectId: ProjectId,
  { draft }: { readonly draft: string },
): Promise<ProjectTrust['state']> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const row = await findProject(store, projectId, draft);
    if (!needsConfirmation(row.origin)) return 'own';
    try {
      return (await trustOf(store, actor, row)).state;
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_large') return 'unconfirmed';
      throw error;
    }
  });
}

/**
 * Confirms the list with this hash: runs of the project may start and call its items, until the folder needs more. `actor` is
 * stored with the confirmation. Throws AppError `conflict` when the current list is another one, and `not_found`.
 */
export async function confirmCapabilities(actor: Actor, projectId: ProjectId, hash: string): Promise<ProjectTrust> {
  return await withStoreOnce(actor, 'project.trust', { project: projectId }, async ({ store }) => {
    const project = await findProject(store, projectId);
    const found = await findListed(store, project, hash);
    const row = found ?? project;
    const list = await capabilitiesOf(store, row.treeHash);
    const isPresent = found !== undefined;
    const kept = isPresent && (await insertConfirmedList(store, projectId, list, { actor, treeHash: row.treeHash }));
    if (!kept) {
      throw new AppError(
        'conflict',
        'What this folder would start or call has changed since you saw it. Read the list again, then confirm.',
      );
    }
    return await trustOf(store, actor, row);
  });
}

/** Finds the draft, or the revision with a label, whose list has the hash. */
async function findListed(store: Store, project: ProjectRow, hash: string): Promise<ProjectRow | undefined> {
  const [drafts, revisions] = [await findDrafts(store, project.id), await findLabelledTrees(store, project.id)];
  for (const treeHash of new Set([project.treeHash, ...drafts.map((draft) => draft.treeHash), ...revisions])) {
    if ((await capabilitiesOf(store, treeHash)).hash === hash) return { ...project, treeHash };
  }
  return undefined;
}

/**
 * Returns the hash of the confirmed list for a new run, or `undefined` if nothing needs a confirmation. Throws AppError `not_trusted` with
 * the hash to confirm, and `not_approved` if an administrator first has to approve what the run starts.
 */
export async function mayStart(store: Store, row: ProjectRow): Promise<string | undefined> {
  return await confirmedForRun(startRules(store), row);
}

/** What decides whether this process may queue a run. */
export function startRules(store: Store): StartRules {
  return { store, accounts: accountsAreOn(), list: ({ treeHash }) => capabilitiesOf(store, treeHash) };
}

/** Returns what a tree starts that no administrator has approved. Throws AppError `too_large`. */
export async function unapprovedOf(
  store: Store,
  project: ProjectId,
  treeHash: TreeHash,
): Promise<readonly BoundCommand[]> {
  const { commands } = await capabilitiesOf(store, treeHash);
  return await findUnapproved(store, await boundCommands(store, project, commands));
}

async function trustOf(store: Store, actor: Actor, row: ProjectRow): Promise<ProjectTrust> {
  const list = await capabilitiesOf(store, row.treeHash);
  const confirmed = await findConfirmedLists(store, row.id);
  const [last] = confirmed;
  const state = !needsConfirmation(row.origin)
    ? 'own'
    : list.items.length === 0
      ? 'nothing'
      : isConfirmed(
            list,
            confirmed.map(({ items }) => items),
          )
        ? 'confirmed'
        : 'unconfirmed';
  // An earlier confirmed list may contain all items of this one.
  const isKnown = state === 'own' || state === 'confirmed';
  const change = changesSince(isKnown ? list.items : (last?.items ?? []));
  return {
    origin: row.origin,
    state,
    hash: list.hash,
    items: list.items.map((item) => ({ ...item, change: change(item) })),
    models: list.models,
    commands: accountsAreOn() ? await statesOf(store, row.id, list.commands) : [],
    mayApprove: decide(actor.reach, 'installation.commands', null) === 'allowed',
    confirmedAt: last?.confirmedAt,
  };
}

async function statesOf(store: Store, project: ProjectId, commands: readonly Command[]): Promise<TrustCommand[]> {
  const bound = await boundCommands(store, project, commands);
  const states = await findCommandStates(
    store,
    bound.map(({ id }) => id),
  );
  return bound.map(({ id, command: each, filledBy }) => {
    const { kind, name, command, args, environment, usedBy } = each;
    const known = states.get(id);
    const warnings = commandWarnings({ ...each, filledBy });
    const { status = 'new', note = '', by } = known ?? {};
    return { id, kind, name, command, args, environment, usedBy, status, note, by, warnings };
  });
}

/** Lists the capabilities. Throws AppError `too_large` for a folder that cannot be read in time. */
export async function capabilitiesOf(store: Store, hash: TreeHash): Promise<CapabilityList> {
  return await capabilitiesOfTree(hash, async () => {
    const issue = await findTreeIssue(store, hash);
    if (issue !== undefined) throw new AppError('too_large', issue.message);
    const listed = await webReader().capabilities(await readTree(store.prisma, hash));
    if (!listed.ok) throw new AppError('too_large', listed.error.message);
    return listed.value;
  });
}
