import type { ProjectId } from '@/lib/base/ids';
import { noDraft, noProject } from './not-found';
import type { Db } from './trees';

/*
 * Locks are taken in one order: drafts by name, then the project, then the audit log. The numbers of revisions and releases are given
 * while the project is locked, so they have no gaps.
 */

/** The draft that every project has. It can be neither renamed nor deleted. */
export const mainDraft = 'main';

export interface LockedDraft {
  readonly name: string;
  readonly treeHash: string;
  readonly version: number;
  readonly baseId: string | null;
  /** The live revision that it was updated from since its base. */
  readonly mergedId: string | null;
  /** The version that was saved as a revision last. */
  readonly savedVersion: number;
  readonly updatedAt: Date;
}

/** Locks a draft until the transaction ends. Throws AppError `not_found`. */
export async function lockDraft(db: Db, projectId: ProjectId, name = mainDraft): Promise<LockedDraft> {
  const [draft] = await db.$queryRaw<LockedDraft[]>`
    SELECT name, "treeHash", version, "baseId", "mergedId", "savedVersion", "updatedAt" FROM "Draft"
    WHERE "projectId" = ${projectId} AND name = ${name} FOR UPDATE`;
  if (draft !== undefined) return draft;
  const project = await db.project.findUnique({ where: { id: projectId }, select: { id: true } });
  throw project === null ? noProject() : noDraft(name);
}

/** Locks a project until the transaction ends. Call it after `lockDraft`. Throws AppError `not_found`. */
export async function lockProject(db: Db, id: ProjectId): Promise<void> {
  const found = await db.$queryRaw<unknown[]>`SELECT 1 FROM "Project" WHERE id = ${id} FOR NO KEY UPDATE`;
  if (found.length === 0) throw noProject();
}
