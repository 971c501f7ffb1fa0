import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type EpochMs, type ProjectId } from '@/lib/base/ids';
import { keyVariables } from '@/lib/cards/models/providers';
import { appendAudit } from './audit';
import type { Store } from './database';
import { transaction } from './transaction';

/** A secret without its value. `project` is null for one of the installation. */
export interface SecretRow {
  readonly id: string;
  readonly project: ProjectId | null;
  readonly name: string;
  /** Where its value may go; empty: wherever its name is used. */
  readonly hosts: readonly string[];
  /** Of a secret of the installation: the projects that may use it; empty: every one. */
  readonly projects: readonly ProjectId[];
  readonly by: string;
  readonly at: EpochMs;
  /** The projects whose runs got it, last use first. */
  readonly uses: readonly { readonly project: ProjectId; readonly name: string; readonly at: EpochMs }[];
}

export interface SealedSecret {
  /** Unique. A secret that is set again keeps its id, and gets another version. */
  readonly id: string;
  readonly project: ProjectId | null;
  readonly name: string;
  readonly keyId: string;
  readonly sealed: string;
  readonly hosts: readonly string[];
}

/** A secret as it is stored, with the projects that may use it. */
export interface NewSecret extends SealedSecret {
  readonly projects?: readonly ProjectId[];
}

/** A secret that a run may use. */
export interface UsableSecret extends SealedSecret {
  /** True if the audit log has today's first use of it by the project already. */
  readonly isNotedToday: boolean;
  /** Another one with each value. */
  readonly version: string;
  /** Who set the value. */
  readonly by: string;
}

/** The text that a value is sealed with, so that it opens in no other place. */
export function labelOf(project: ProjectId | null, name: string): string {
  return `${project ?? ''}/${name}`;
}

const epoch = z.number().transform((at) => brandAs<EpochMs>(at));
const projectId = z.string().transform((id) => brandAs<ProjectId>(id));
const listed = z.object({
  id: z.string(),
  project: projectId.nullable(),
  name: z.string(),
  hosts: z.array(z.string()),
  projects: z.array(projectId),
  by: z.string(),
  at: epoch,
  uses: z.array(z.object({ project: projectId, name: z.string(), at: epoch })),
});
const sealed = z.object({
  id: z.string(),
  project: projectId.nullable(),
  name: z.string(),
  keyId: z.string(),
  sealed: z.string(),
  hosts: z.array(z.string()),
});
const usable = sealed.extend({ isNotedToday: z.boolean(), version: z.string(), by: z.string() });

/** Lists the secrets of a project, or those of the installation, by name. Values are not read. */
export async function listSecrets(store: Store, project: ProjectId | null): Promise<readonly SecretRow[]> {
  const { rows } = await store.pool.query(
    `SELECT id, "projectId" AS project, name, hosts, projects, by, (extract(epoch FROM at) * 1000)::float8 AS at, COALESCE((
       SELECT json_agg(json_build_object('project', p.id, 'name', p.name, 'at', (extract(epoch FROM u.at) * 1000)::float8)
         ORDER BY u.at DESC)
       FROM "SecretUse" u JOIN "Project" p ON p.id = u."projectId" WHERE u."secretId" = s.id), '[]') AS uses
     FROM "Secret" s WHERE "projectId" IS NOT DISTINCT FROM $1 ORDER BY name`,
    [project],
  );
  return z.array(listed).parse(rows);
}

/** Returns the projects that have a secret of their own with one of these names. It replaces that of the installation there. */
export async function projectsWithOwn(
  store: Store,
  names: readonly string[],
): Promise<readonly { readonly project: ProjectId; readonly name: string }[]> {
  const { rows } = await store.pool.query<{ project: ProjectId; name: string }>(
    'SELECT "projectId" AS project, name FROM "Secret" WHERE "projectId" IS NOT NULL AND name = ANY($1)',
    [names],
  );
  return rows;
}

/**
 * The condition for secrets that runs of a project get: its own, and those of the installation for this project. Where people have accounts,
 * one of the installation without hosts and projects is for nobody: an editor of any project could send it anywhere. Keys of model providers
 * go to the providers. With null as project it is every secret of the installation. Parameters: project, accounts, keys of providers.
 */
const usableWhere = `("projectId" = $1 OR "projectId" IS NULL AND (
  $1::text IS NULL OR $1 = ANY(projects)
  OR cardinality(projects) = 0 AND (NOT $2::boolean OR cardinality(hosts) > 0 OR name = ANY($3::text[]))))`;

interface Rules {
  /** True where people have accounts. */
  readonly accounts: boolean;
}

/** Returns the names of the secrets that runs of a project may use: its own, and those of the installation. */
export async function secretNames(
  store: Store,
  project: ProjectId | undefined,
  { accounts }: Rules,
): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT DISTINCT name FROM "Secret" WHERE ${usableWhere} ORDER BY name`,
    [project ?? null, accounts, keyVariables],
  );
  return rows.map(({ name }) => name);
}

/** Stores a secret in place of one with this name. */
export async function putSecret(store: Store, secret: NewSecret, actor: Actor): Promise<void> {
  const { id, project, name, keyId, sealed: value, hosts, projects = [] } = secret;
  await transaction(store, async (connection) => {
    await connection.query(
      `INSERT INTO "Secret" (id, "projectId", name, "keyId", sealed, hosts, projects, by, version)
       VALUES ($1, $2, $3, $4, $5, $6, $8, $7, $1)
       ON CONFLICT (COALESCE("projectId", ''), name)
       DO UPDATE SET "keyId" = $4, sealed = $5, hosts = $6, projects = $8, by = $7, at = now(), version = $1`,
      [id, project, name, keyId, value, [...hosts], actor.by, [...projects]],
    );
    const body = { name, hosts, projects };
    await appendAudit(connection, { actor, action: 'secret.set', object: name, project: project ?? undefined, body });
  });
}

/** Removes a secret. Returns false if there is none with this name. */
export async function removeSecret(
  store: Store,
  place: { readonly project: ProjectId | null; readonly name: string },
  actor: Actor,
): Promise<boolean> {
  return await transaction(store, async (connection) => {
    const { rowCount } = await connection.query(
      'DELETE FROM "Secret" WHERE "projectId" IS NOT DISTINCT FROM $1 AND name = $2',
      [place.project, place.name],
    );
    if (rowCount === 0) return false;
    const project = place.project ?? undefined;
    await appendAudit(connection, { actor, action: 'secret.removed', object: place.name, project });
    return true;
  });
}

/**
 * Returns the sealed secrets that runs of a project may use. A project's own comes after one of the installation with its name.
 * With null it returns those of the installation.
 */
export async function sealedSecretsOf(
  store: Store,
  project: ProjectId | null,
  { accounts }: Rules,
): Promise<readonly UsableSecret[]> {
  const { rows } = await store.pool.query(
    `SELECT id, "projectId" AS project, name, "keyId", sealed, hosts, version, by, EXISTS (
       SELECT FROM "SecretUse" u
       WHERE u."secretId" = s.id AND u."projectId" = $1 AND u.at >= date_trunc('day', now())) AS "isNotedToday"
     FROM "Secret" s WHERE ${usableWhere} ORDER BY "projectId" NULLS FIRST, name`,
    [project, accounts, keyVariables],
  );
  return z.array(usable).parse(rows);
}

/** Notes that runs of a project got these secrets. The audit log has the first use of each day: what is noted today costs nothing. */
export async function noteSecretUses(store: Store, project: ProjectId, used: readonly UsableSecret[]): Promise<void> {
  const secrets = used.filter(({ isNotedToday }) => !isNotedToday);
  if (secrets.length === 0) return;
  await transaction(store, async (connection) => {
    const { rows } = await connection.query<{ secretId: string }>(
      `INSERT INTO "SecretUse" ("secretId", "projectId") SELECT id, $2 FROM "Secret" WHERE id = ANY($1)
       ON CONFLICT ("secretId", "projectId") DO UPDATE SET at = now()
       WHERE "SecretUse".at < date_trunc('day', now()) RETURNING "secretId"`,
      [secrets.map(({ id }) => id), project],
    );
    const actor = { by: 'callboard', via: 'worker' };
    for (const { secretId } of rows) {
      const name = secrets.find(({ id }) => id === secretId)?.name ?? '';
      await appendAudit(connection, { actor, action: 'secret.used', object: name, project });
    }
  });
}

/** Seals every secret of another key anew. `change` returns `undefined` for one that it cannot open. Returns how many were changed. */
export async function resealSecrets(
  connection: PoolClient,
  keyId: string,
  change: (secret: SealedSecret) => string | undefined,
): Promise<number> {
  const { rows } = await connection.query(
    `SELECT id, "projectId" AS project, name, "keyId", sealed, hosts FROM "Secret" WHERE "keyId" <> $1
     ORDER BY id FOR UPDATE`,
    [keyId],
  );
  let changed = 0;
  for (const secret of z.array(sealed).parse(rows)) {
    const value = change(secret);
    if (value === undefined) continue;
    await connection.query('UPDATE "Secret" SET "keyId" = $2, sealed = $3 WHERE id = $1', [secret.id, keyId, value]);
    changed += 1;
  }
  return changed;
}
