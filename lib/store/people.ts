import type { PoolClient } from 'pg';
import { z } from 'zod';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import type { Store } from './database';

/** A person, as administrators see people. */
export interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdministrator: boolean;
  readonly deactivatedAt: EpochMs | null;
  readonly createdAt: EpochMs;
  /** The last request of any session that still is. */
  readonly seenAt: EpochMs | null;
  readonly secondFactor: boolean;
  readonly hasPassword: boolean;
  /** True if the provider of sign-ins has signed the person in. */
  readonly hasProvider: boolean;
  readonly passkeys: number;
  readonly members: readonly {
    readonly project: ProjectId;
    readonly name: string;
    readonly role: string;
    readonly answers: boolean;
  }[];
}

const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const row = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isAdministrator: z.boolean(),
  deactivatedAt: epoch.nullable(),
  createdAt: epoch,
  seenAt: epoch.nullable(),
  secondFactor: z.boolean(),
  hasPassword: z.boolean(),
  hasProvider: z.boolean(),
  passkeys: z.number(),
  members: z.array(
    z.object({
      project: z.string().transform((id) => brandAs<ProjectId>(id)),
      name: z.string(),
      role: z.string(),
      answers: z.boolean(),
    }),
  ),
});

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

const select = `
  SELECT u.id, u.name, u.email, u.administrator AS "isAdministrator", ${ms('u."deactivatedAt"')} AS "deactivatedAt",
    ${ms('u."createdAt"')} AS "createdAt",
    (SELECT ${ms('max(s."seenAt")')} FROM auth_session s WHERE s."userId" = u.id) AS "seenAt",
    COALESCE(u."twoFactorEnabled", false) AS "secondFactor",
    EXISTS (SELECT 1 FROM auth_account a WHERE a."userId" = u.id AND a.password IS NOT NULL) AS "hasPassword",
    EXISTS (SELECT 1 FROM auth_account a WHERE a."userId" = u.id AND a."providerId" <> 'credential') AS "hasProvider",
    (SELECT count(*)::int FROM auth_passkey k WHERE k."userId" = u.id) AS passkeys,
    COALESCE((SELECT json_agg(json_build_object('project', p.id, 'name', p.name, 'role', m.role, 'answers', m.answers)
      ORDER BY p.name, p.id) FROM "Member" m JOIN "Project" p ON p.id = m."projectId" WHERE m."userId" = u.id), '[]') AS members
  FROM auth_user u`;

/** Lists all people, also those who are deactivated, by name. */
export async function listPeople(store: Store): Promise<readonly PersonRow[]> {
  const { rows } = await store.pool.query(`${select} ORDER BY u."deactivatedAt" IS NOT NULL, lower(u.name), u.email`);
  return z.array(row).parse(rows);
}

/** Finds a person by id or by e-mail address, in whatever case it is written. */
export async function findPerson(
  store: Store,
  by: { readonly id: string } | { readonly email: string },
): Promise<PersonRow | undefined> {
  const [condition, value] = 'id' in by ? ['u.id = $1', by.id] : ['u.email = $1', by.email.trim().toLowerCase()];
  const { rows } = await store.pool.query(`${select} WHERE ${condition}`, [value]);
  return z.array(row).parse(rows)[0];
}

/** True if somebody administers this installation and may sign in. */
export async function hasAdministrator(store: Store): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'SELECT 1 FROM auth_user WHERE administrator AND "deactivatedAt" IS NULL LIMIT 1',
  );
  return rowCount === 1;
}

/** Returns the names of the administrators who may sign in. */
export async function administratorNames(store: Store): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ name: string }>(
    'SELECT name FROM auth_user WHERE administrator AND "deactivatedAt" IS NULL ORDER BY lower(name), id',
  );
  return rows.map(({ name }) => name);
}

export interface NewPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly isAdministrator: boolean;
}

/** Adds a person with a password. Returns false if somebody has the address. */
export async function insertPerson(connection: PoolClient, person: NewPerson): Promise<boolean> {
  const { id, name, email, passwordHash, isAdministrator } = person;
  const { rowCount } = await connection.query(
    `INSERT INTO auth_user (id, name, email, "emailVerified", administrator) VALUES ($1, $2, $3, true, $4)
     ON CONFLICT (email) DO NOTHING`,
    [id, name, email, isAdministrator],
  );
  if (rowCount !== 1) return false;
  await writePasswordHash(connection, id, passwordHash);
  return true;
}

/** Returns the hash of a person's password; `undefined` for a person without one. */
export async function readPasswordHash(store: Store, user: string): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ password: string | null }>(
    `SELECT password FROM auth_account WHERE "userId" = $1 AND "providerId" = 'credential'`,
    [user],
  );
  return rows[0]?.password ?? undefined;
}

/**
 * Returns the hash of the password of whoever has an e-mail address. It waits for a transaction that writes the hash: sessions that such a
 * transaction did not see are then compared with the new one.
 */
export async function passwordHashOf(store: Store, email: string): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ password: string | null }>(
    `SELECT a.password FROM auth_account a JOIN auth_user u ON u.id = a."userId"
     WHERE u.email = $1 AND a."providerId" = 'credential' FOR SHARE OF a`,
    [email],
  );
  return rows[0]?.password ?? undefined;
}

/** Writes the hash of a person's password. */
export async function writePasswordHash(
  connection: Pick<PoolClient, 'query'>,
  user: string,
  hash: string,
): Promise<void> {
  await connection.query(
    `INSERT INTO auth_account (id, "accountId", "providerId", "userId", password) VALUES ($1, $2, 'credential', $2, $3)
     ON CONFLICT ("providerId", "accountId") DO UPDATE SET password = $3, "updatedAt" = now()`,
    [`password-${user}`, user, hash],
  );
}

/** Replaces a hash by another one of the same password, unless the person has another password meanwhile. */
export async function replacePasswordHash(
  store: Store,
  user: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await store.pool.query(
    `UPDATE auth_account SET password = $3, "updatedAt" = now()
     WHERE "userId" = $1 AND "providerId" = 'credential' AND password = $2`,
    [user, from, to],
  );
}

/**
 * Locks the administrators until the transaction ends, and returns the ids of those who may sign in. So two at a time cannot take each
 * other's right and leave nobody.
 */
export async function lockAdministrators(connection: PoolClient): Promise<readonly string[]> {
  const { rows } = await connection.query<{ id: string }>(
    'SELECT id FROM auth_user WHERE administrator AND "deactivatedAt" IS NULL ORDER BY id FOR UPDATE',
  );
  return rows.map(({ id }) => id);
}
