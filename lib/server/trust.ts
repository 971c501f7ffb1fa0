import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import {
  type Capability,
  type CapabilityChange,
  type CapabilityList,
  changesSince,
  isConfirmed,
} from '@/lib/cards/trust/capability';
import type { Store } from '@/lib/store/database';
import { findProject, type ProjectRow } from '@/lib/store/projects';
import { capabilitiesOfTree } from '@/lib/store/tree-capabilities';
import { findTreeIssue } from '@/lib/store/tree-summaries';
import { readTree } from '@/lib/store/trees';
import { findConfirmedLists, insertConfirmedList, needsConfirmation, type ProjectOrigin } from '@/lib/store/trust';
import { webReader } from './reading/web-reader';
import { withStore, withStoreOnce } from './services';

/** What runs of a project would start or call, and whether they may. */
export interface ProjectTrust {
  readonly origin: ProjectOrigin;
  /**
   * - `own`: the caller's own folder; nothing is asked.
   * - `nothing`: there is nothing to confirm.
   * - `confirmed`, `unconfirmed`: whether a person has confirmed the list as it is now.
   */
  readonly state: 'own' | 'nothing' | 'confirmed' | 'unconfirmed';
  /** SHA-256 of the list. */
  readonly hash: string;
  /** Each with what it is to the last list that was confirmed. */
  readonly items: readonly (Capability & { readonly change: CapabilityChange })[];
  readonly models: CapabilityList['models'];
  /** When a list of this project was last confirmed. */
  readonly confirmedAt: Date | undefined;
}

/** As the project is saved now. Throws AppError `not_found`. */
export async function readTrust(projectId: ProjectId): Promise<ProjectTrust> {
  return await withStore(async (store) => await trustOf(store, await findProject(store, projectId)));
}

/** The same in one word. Reads no file where nothing is ever asked. What cannot be read in time cannot be confirmed. */
export async function readTrustState(projectId: ProjectId): Promise<ProjectTrust['state']> {
  return await withStore(async (store) => {
    const row = await findProject(store, projectId);
    if (!needsConfirmation(row.origin)) return 'own';
    try {
      return (await trustOf(store, row)).state;
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_large') return 'unconfirmed';
      throw error;
    }
  });
}

/**
 * Lets runs of the project start and call what the list of that hash has, until the folder asks for more. `actor` is kept
 * beside it. Throws AppError `conflict` when the present list is another one, and `not_found`.
 */
export async function confirmCapabilities(actor: string, projectId: ProjectId, hash: string): Promise<ProjectTrust> {
  return await withStoreOnce(async ({ store }) => {
    const row = await findProject(store, projectId);
    const list = await capabilitiesOf(store, row.treeHash);
    const isPresent = list.hash === hash;
    const kept =
      isPresent && (await insertConfirmedList(store, projectId, list, { by: actor, treeHash: row.treeHash }));
    if (!kept) {
      throw new AppError(
        'conflict',
        'What this folder would start or call has changed since you saw it. Look at the list again, then confirm.',
      );
    }
    return await trustOf(store, row);
  });
}

/**
 * The hash of the confirmed list a new run goes by; undefined where nothing has to be confirmed. Throws AppError
 * `not_trusted`, which carries the hash to confirm.
 */
export async function confirmedForRun(store: Store, row: ProjectRow): Promise<string | undefined> {
  if (!needsConfirmation(row.origin)) return undefined;
  const list = await capabilitiesOf(store, row.treeHash);
  if (list.items.length === 0) return undefined;
  const confirmed = await findConfirmedLists(store, row.id);
  if (
    isConfirmed(
      list,
      confirmed.map(({ items }) => items),
    )
  )
    return list.hash;
  throw new AppError('not_trusted', notTrusted(list), { hash: list.hash });
}

async function trustOf(store: Store, row: ProjectRow): Promise<ProjectTrust> {
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
  // An earlier list may be the one that covers this one.
  const isKnown = state === 'own' || state === 'confirmed';
  const change = changesSince(isKnown ? list.items : (last?.items ?? []));
  return {
    origin: row.origin,
    state,
    hash: list.hash,
    items: list.items.map((item) => ({ ...item, change: change(item) })),
    models: list.models,
    confirmedAt: last?.confirmedAt,
  };
}

/** Throws AppError `too_large` for a folder that cannot be read in time. */
async function capabilitiesOf(store: Store, hash: TreeHash): Promise<CapabilityList> {
  return await capabilitiesOfTree(hash, async () => {
    const issue = await findTreeIssue(store, hash);
    if (issue !== undefined) throw new AppError('too_large', issue.message);
    const listed = await webReader().capabilities(await readTree(store.prisma, hash));
    if (!listed.ok) throw new AppError('too_large', listed.error.message);
    return listed.value;
  });
}

function notTrusted({ items }: CapabilityList): string {
  const things = items.length === 1 ? 'one thing' : `${items.length} things`;
  return (
    `Nobody has confirmed yet what this folder would start or call: ${things}. ` +
    'Nothing was started. Open the project, press Run and look at the list, or confirm its hash over the API.'
  );
}
