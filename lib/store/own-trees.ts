import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import type { Store } from './database';

/** Returns a tree by its hash if a draft, a revision or a run of the project has it. A tree of another project is `undefined`. */
export async function findOwnTree(
  store: Pick<Store, 'pool'>,
  projectId: ProjectId,
  hash: string,
): Promise<TreeHash | undefined> {
  const { rows } = await store.pool.query<{ own: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM "Draft" WHERE "projectId" = $1 AND "treeHash" = $2)
       OR EXISTS (SELECT 1 FROM "Revision" WHERE "projectId" = $1 AND "treeHash" = $2)
       OR EXISTS (SELECT 1 FROM "Run" WHERE "projectId" = $1 AND "treeHash" = $2) AS own`,
    [projectId, hash],
  );
  return rows[0]?.own === true ? brandAs<TreeHash>(hash) : undefined;
}
