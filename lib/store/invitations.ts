import type { PoolClient } from 'pg';
import { z } from 'zod';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { hashOfToken, type LinkFault, newLinkToken } from './auth-links';
import type { Store } from './database';

export interface Invitation {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  /** Null: an account without a project. */
  readonly project: ProjectId | null;
  readonly projectName: string | null;
  readonly role: string | null;
  readonly answers: boolean;
  readonly administrator: boolean;
  readonly invitedBy: string;
  readonly createdAt: EpochMs;
  readonly expiresAt: EpochMs;
}

export interface NewInvitation
  extends Pick<Invitation, 'id' | 'email' | 'project' | 'role' | 'answers' | 'administrator' | 'invitedBy'> {
  readonly days: number;
}

const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const row = z.object({
  id: z.string(),
  email: z.string(),
  project: z
    .string()
    .transform((id) => brandAs<ProjectId>(id))
    .nullable(),
  projectName: z.string().nullable(),
  role: z.string().nullable(),
  answers: z.boolean(),
  administrator: z.boolean(),
  invitedBy: z.string(),
  createdAt: epoch,
  expiresAt: epoch,
});

const columns = `i.id, i.email, i."projectId" AS project, p.name AS "projectName", i.role, i.answers, i.administrator, i."invitedBy",
  (extract(epoch FROM i."createdAt") * 1000)::float8 AS "createdAt", (extract(epoch FROM i."expiresAt") * 1000)::float8 AS "expiresAt"`;
const from = 'FROM "Invitation" i LEFT JOIN "Project" p ON p.id = i."projectId"';

type Connection = Pick<PoolClient, 'query'>;

/** Stores an invitation in place of an open one for the same address and project. Returns its token, which is stored nowhere. */
export async function insertInvitation(connection: Connection, invitation: NewInvitation): Promise<string> {
  const { id, email, project, role, answers, administrator, invitedBy, days } = invitation;
  const token = newLinkToken();
  await connection.query(
    `UPDATE "Invitation" SET "revokedAt" = now() WHERE email = $1 AND "projectId" IS NOT DISTINCT FROM $2
       AND "acceptedAt" IS NULL AND "revokedAt" IS NULL`,
    [email, project],
  );
  await connection.query(
    `INSERT INTO "Invitation" (id, email, "projectId", role, answers, administrator, "tokenHash", "invitedBy", "expiresAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9))`,
    [id, email, project, role, answers, administrator, hashOfToken(token), invitedBy, days],
  );
  return token;
}

/** Lists invitations that can still be accepted, newest first: of a project, or with `all` every one. */
export async function listInvitations(store: Store, of: ProjectId | 'all'): Promise<readonly Invitation[]> {
  const { rows } = await store.pool.query(
    `SELECT ${columns} ${from} WHERE ($1::text IS NULL OR i."projectId" = $1)
       AND i."acceptedAt" IS NULL AND i."revokedAt" IS NULL AND i."expiresAt" > now() ORDER BY i."createdAt" DESC, i.id`,
    [of === 'all' ? null : of],
  );
  return z.array(row).parse(rows);
}

/** Says what is wrong with the link of an invitation, or returns the invitation. It changes nothing. */
export async function readInvitation(
  connection: Connection,
  token: string,
): Promise<Invitation | LinkFault | 'revoked'> {
  const { rows } = await connection.query(
    `SELECT ${columns}, i."acceptedAt" IS NOT NULL AS used, i."revokedAt" IS NOT NULL AS revoked, i."expiresAt" <= now() AS expired
     ${from} WHERE i."tokenHash" = $1`,
    [hashOfToken(token)],
  );
  const found = rows[0];
  if (found === undefined) return 'unknown';
  if (found.used) return 'used';
  if (found.revoked) return 'revoked';
  return found.expired ? 'expired' : row.parse(found);
}

/** Accepts an invitation within a transaction. Returns false if it was accepted or revoked meanwhile. */
export async function claimInvitation(connection: PoolClient, id: string): Promise<boolean> {
  const { rowCount } = await connection.query(
    `UPDATE "Invitation" SET "acceptedAt" = now()
     WHERE id = $1 AND "acceptedAt" IS NULL AND "revokedAt" IS NULL AND "expiresAt" > now()`,
    [id],
  );
  return rowCount === 1;
}

/** Revokes an open invitation, of this project alone if one is named. Returns it, or `undefined` if there is none. */
export async function revokeInvitation(
  connection: PoolClient,
  id: string,
  of: ProjectId | 'all',
): Promise<{ readonly email: string; readonly project: ProjectId | null } | undefined> {
  const { rows } = await connection.query<{ email: string; project: ProjectId | null }>(
    `UPDATE "Invitation" SET "revokedAt" = now() WHERE id = $1 AND ($2::text IS NULL OR "projectId" = $2)
       AND "acceptedAt" IS NULL AND "revokedAt" IS NULL RETURNING email, "projectId" AS project`,
    [id, of === 'all' ? null : of],
  );
  return rows[0];
}

/** Returns the open invitations of an address. */
export async function openInvitationsOf(connection: Connection, email: string): Promise<readonly Invitation[]> {
  const { rows } = await connection.query(
    `SELECT ${columns} ${from} WHERE i.email = $1 AND i."acceptedAt" IS NULL AND i."revokedAt" IS NULL AND i."expiresAt" > now()
     ORDER BY i."createdAt", i.id`,
    [email],
  );
  return z.array(row).parse(rows);
}
