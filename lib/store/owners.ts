import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { Store } from './database';

/** What belongs to a project and has an id of its own. */
export type Owned = 'Run' | 'PendingItem' | 'Task' | 'Grant' | 'NotifyTarget' | 'Alert';

/** An item of a run in the bin belongs to nothing. */
const itemSql =
  'SELECT item."projectId" FROM "PendingItem" item JOIN "Run" run ON run.id = item."runId" WHERE item.id = $1';

/** Returns the project that a thing belongs to, null for the installation, or `undefined` if there is no such thing. */
export async function projectOf(store: Store, owned: Owned, id: string): Promise<ProjectId | null | undefined> {
  const { rows } = await store.pool.query<{ projectId: string | null }>({
    name: `project-of-${owned}`,
    text: owned === 'PendingItem' ? itemSql : `SELECT "projectId" FROM "${owned}" WHERE id = $1`,
    values: [id],
  });
  const [row] = rows;
  return row && (row.projectId === null ? null : brandAs<ProjectId>(row.projectId));
}

const mostNamed = 3;

/** Returns the names of some admins of a project, whom a person may ask for a right. */
export async function findAdmins(store: Store, project: ProjectId): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT u.name FROM "Member" m JOIN auth_user u ON u.id = m."userId"
     WHERE m."projectId" = $1 AND m.role = 'admin' AND u."deactivatedAt" IS NULL ORDER BY lower(u.name), u.id LIMIT ${mostNamed}`,
    [project],
  );
  return rows.map(({ name }) => name);
}
