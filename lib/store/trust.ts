import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { type CapabilityList, type ConfirmedItem, capabilityKinds } from '@/lib/cards/trust/capability';
import { activeStates } from '@/lib/trace/run-state';
import { appendAuditIn } from './audit';
import type { Store } from './database';
import type { Prisma } from './generated/client';
import type { Db } from './trees';
import { writing } from './writing';

/**
 * Who brought a project's folder.
 *
 * - `blank`: created empty in the browser; all its files were written there.
 * - `import`: files that a person imported in the browser, or brought into a project that did not ask before (`askFromNow`).
 *   Also used for unknown origins.
 * - `sample`: a folder that comes with Callboard. Its capabilities are confirmed when it is created.
 * - `api`: created by a script.
 * - `earlier`: created before origins were stored.
 *
 * A copy has the origin of its original.
 */
export const projectOrigins = ['blank', 'import', 'sample', 'api', 'earlier'] as const;
export type ProjectOrigin = (typeof projectOrigins)[number];

const needConfirmation: ReadonlySet<ProjectOrigin> = new Set(['import', 'sample']);

/** True if runs of such a project need a person's confirmation of what they would start or call. */
export function needsConfirmation(origin: ProjectOrigin): boolean {
  return needConfirmation.has(origin);
}

/** Reads a stored origin. An unknown name counts as `import`, which needs a confirmation. */
export function readOrigin(stored: string): ProjectOrigin {
  return projectOrigins.find((origin) => origin === stored) ?? 'import';
}

export interface ConfirmedList {
  readonly hash: string;
  readonly items: readonly ConfirmedItem[];
  readonly confirmedBy: string;
  readonly confirmedAt: Date;
}

const storedItems = z.array(z.object({ kind: z.enum(capabilityKinds), name: z.string(), hash: z.string() }));

/** Lists the confirmed lists of a project, newest first. */
export async function findConfirmedLists(store: Store, projectId: ProjectId): Promise<readonly ConfirmedList[]> {
  const rows = await store.prisma.confirmedList.findMany({
    where: { projectId },
    orderBy: [{ confirmedAt: 'desc' }, { hash: 'asc' }],
  });
  return rows.map(({ hash, items, confirmedBy, confirmedAt }) => ({
    hash,
    items: storedItems.parse(items),
    confirmedBy,
    confirmedAt,
  }));
}

/** Each project keeps this many confirmations. Older ones are deleted. */
const keptLists = 50;

/**
 * Stores a confirmed list. Confirming a list again makes it the newest. Returns false when the project's folder is no
 * longer `treeHash` in any draft or revision.
 */
export async function insertConfirmedList(
  store: Store,
  projectId: ProjectId,
  list: Pick<CapabilityList, 'hash' | 'items'>,
  confirmed: { readonly actor: Actor; readonly treeHash: TreeHash },
): Promise<boolean> {
  return await store.prisma.$transaction(async (db) => {
    await db.$queryRaw`SELECT 1 FROM "Draft" WHERE "projectId" = ${projectId} FOR SHARE`;
    const { treeHash } = confirmed;
    const isPresent =
      (await db.draft.count({ where: { projectId, treeHash } })) > 0 ||
      (await db.revision.count({ where: { projectId, treeHash } })) > 0;
    if (!isPresent) return false;
    const { actor } = confirmed;
    const row = confirmedRow(list, actor.by);
    const now = { confirmedBy: actor.by, confirmedAt: new Date() };
    const where = { projectId_hash: { projectId, hash: list.hash } };
    await db.confirmedList.upsert({ where, create: { projectId, ...row, ...now }, update: now });
    await db.$executeRaw`
      DELETE FROM "ConfirmedList" WHERE "projectId" = ${projectId} AND hash NOT IN (
        SELECT hash FROM "ConfirmedList" WHERE "projectId" = ${projectId}
        ORDER BY "confirmedAt" DESC, hash LIMIT ${keptLists})`;
    const body = { list: list.hash, items: list.items.length };
    await appendAuditIn(db, { actor, action: 'capabilities.confirmed', object: projectId, project: projectId, body });
    return true;
  }, writing);
}

/** Returns the trees of runs and tasks that have not ended and were started without a confirmation. */
export async function findWaitingTrees(store: Store, projectId: ProjectId): Promise<readonly TreeHash[]> {
  const { rows } = await store.pool.query<{ treeHash: TreeHash }>(
    `SELECT DISTINCT "treeHash" FROM "Run" WHERE "projectId" = $1 AND "confirmedHash" IS NULL AND status = ANY($2)
     UNION SELECT "treeHash" FROM "Task"
     WHERE "projectId" = $1 AND "confirmedHash" IS NULL AND status <> 'ended' AND "treeHash" IS NOT NULL`,
    [projectId, [...activeStates]],
  );
  return rows.map(({ treeHash }) => treeHash);
}

/**
 * Makes a project ask from now on, as an imported one does. `own` has what each tree listed before. It counts as confirmed, because
 * people wrote it here, and runs that wait keep going with it.
 */
export async function askFromNow(
  store: Store,
  projectId: ProjectId,
  own: ReadonlyMap<TreeHash, Pick<CapabilityList, 'hash' | 'items'>>,
  actor: Actor,
): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    const { count } = await db.project.updateMany({
      where: { id: projectId, origin: { notIn: [...needConfirmation] } },
      data: { origin: 'import' },
    });
    if (count === 0) return;
    const lists = new Map([...own.values()].filter(({ items }) => items.length > 0).map((list) => [list.hash, list]));
    const data = [...lists.values()].map((list) => ({ projectId, ...confirmedRow(list, actor.by) }));
    await db.confirmedList.createMany({ data, skipDuplicates: true });
    for (const [treeHash, { hash }] of own) {
      const where = { projectId, treeHash, confirmedHash: null };
      await db.run.updateMany({
        where: { ...where, status: { in: [...activeStates] } },
        data: { confirmedHash: hash },
      });
      await db.task.updateMany({ where: { ...where, status: { not: 'ended' } }, data: { confirmedHash: hash } });
    }
    const body = { lists: lists.size };
    await appendAuditIn(db, { actor, action: 'capabilities.needed', object: projectId, project: projectId, body });
  }, writing);
}

/** The origin and confirmations of a new project. */
export type NewTrust =
  | { readonly origin: ProjectOrigin; readonly confirmed?: Pick<CapabilityList, 'hash' | 'items'> }
  /** The new project takes the origin and the confirmations of this one. */
  | { readonly copyOf: ProjectId };

/** Returns the columns and rows of a new project for `NewTrust`. */
export async function trustRows(
  db: Db,
  trust: NewTrust,
): Promise<Pick<Prisma.ProjectCreateInput, 'origin' | 'confirmed'>> {
  if (!('copyOf' in trust)) {
    const { origin, confirmed } = trust;
    return { origin, confirmed: confirmed && { create: confirmedRow(confirmed, 'callboard') } };
  }
  const original = await db.project.findUnique({ where: { id: trust.copyOf }, include: { confirmed: true } });
  if (original === null) return { origin: 'import' };
  const create = original.confirmed.map(({ hash, items, confirmedBy, confirmedAt }) => ({
    hash,
    items: storedItems.parse(items),
    confirmedBy,
    confirmedAt,
  }));
  return { origin: readOrigin(original.origin), confirmed: { create } };
}

function confirmedRow({ hash, items }: Pick<CapabilityList, 'hash' | 'items'>, confirmedBy: string) {
  const kept = items.map(({ kind, name, hash: itemHash }) => ({ kind, name, hash: itemHash }));
  return { hash, items: kept, confirmedBy };
}
