import type { PoolClient } from 'pg';
import type { ProjectId } from '@/lib/base/ids';

export interface NewMember {
  readonly project: ProjectId;
  readonly userId: string;
  readonly role: string;
  readonly answers: boolean;
  readonly addedBy: string;
}

type Connection = Pick<PoolClient, 'query'>;

/** Returns the role that a person has in a project, locked until the transaction ends. */
export async function lockMember(
  connection: PoolClient,
  project: ProjectId,
  user: string,
): Promise<{ readonly role: string; readonly answers: boolean } | undefined> {
  const { rows } = await connection.query<{ role: string; answers: boolean }>(
    'SELECT role, answers FROM "Member" WHERE "projectId" = $1 AND "userId" = $2 FOR UPDATE',
    [project, user],
  );
  return rows[0];
}

/** Makes a person a member, or changes what a member may do. */
export async function putMember(connection: Connection, member: NewMember): Promise<void> {
  const { project, userId, role, answers, addedBy } = member;
  await connection.query(
    `INSERT INTO "Member" ("projectId", "userId", role, answers, "addedBy") VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ("projectId", "userId") DO UPDATE SET role = $3, answers = $4`,
    [project, userId, role, answers, addedBy],
  );
}

export async function deleteMember(connection: Connection, project: ProjectId, user: string): Promise<void> {
  await connection.query('DELETE FROM "Member" WHERE "projectId" = $1 AND "userId" = $2', [project, user]);
}
