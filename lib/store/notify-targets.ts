import type { PoolClient } from 'pg';
import type { ProjectId } from '@/lib/base/ids';
import type { NoticeGroup } from '@/lib/base/notices';
import type { ProjectScope } from '@/lib/base/rights';
import type { Store } from './database';
import { idsOf } from './scope';

/*
 * Where notices go. Targets of the settings page are rows with their secrets. For what the environment names, the workers keep rows
 * without addresses and secrets: `insertNoticesSql` finds all targets in one table, and the sender takes the rest from its variables.
 */

/** The setting that tells the mail server of the workers, without its password, as JSON text; `null` without one. */
export const mailServerKey = 'notify-mail-server';
/** The target that mail to people goes through. Its notices name the person. */
export const peopleTarget = 'people';

export type TargetKind = 'webhook' | 'mail';

export interface NotifyTarget {
  readonly id: string;
  readonly kind: TargetKind;
  readonly source: 'settings' | 'environment';
  /** `undefined`: of every project. */
  readonly projectId: ProjectId | undefined;
  readonly projectName: string | undefined;
  /** The URL or the mail address. Empty for a webhook of the environment. */
  readonly address: string;
  readonly mayAnswer: boolean;
  /** What it is told of. */
  readonly groups: readonly string[];
}

interface Row {
  readonly id: string;
  readonly kind: TargetKind;
  readonly source: 'settings' | 'environment';
  readonly projectId: ProjectId | null;
  readonly projectName: string | null;
  readonly address: string;
  readonly mayAnswer: boolean;
  readonly groups: readonly string[];
}

/** Lists the targets of the projects, with `all` also those of every project, oldest first, without secrets. */
export async function listTargets(store: Store, scope: ProjectScope): Promise<readonly NotifyTarget[]> {
  const { rows } = await store.pool.query<Row>(
    `SELECT t.id, t.kind, t.source, t."projectId", p.name AS "projectName", t.address, t."mayAnswer", t.groups
     FROM "NotifyTarget" t LEFT JOIN "Project" p ON p.id = t."projectId"
     WHERE t.id <> '${peopleTarget}' AND ($1::text[] IS NULL OR t."projectId" = ANY($1)) ORDER BY t."createdAt", t.id LIMIT 200`,
    [idsOf(scope)],
  );
  return rows.map(({ projectId, projectName, ...row }) => ({
    ...row,
    projectId: projectId ?? undefined,
    projectName: projectName ?? undefined,
  }));
}

export interface NewTarget {
  readonly id: string;
  readonly kind: TargetKind;
  readonly projectId: ProjectId | undefined;
  readonly address: string;
  /** Only of a webhook: its secret, sealed with `webhookLabel`. */
  readonly secret: string | undefined;
  readonly mayAnswer: boolean;
  /** What it is told of. */
  readonly groups: readonly NoticeGroup[];
}

/** Stores a target of the settings page. Returns false if there is one of this kind, address and project, or no such project. */
export async function insertTarget(store: Store, target: NewTarget): Promise<boolean> {
  const { id, kind, projectId, address, secret, mayAnswer, groups } = target;
  const { rowCount } = await store.pool.query(
    `INSERT INTO "NotifyTarget" (id, kind, "projectId", address, secret, "mayAnswer", groups) SELECT $1, $2, $3, $4, $5, $6, $7
     WHERE ($3::text IS NULL OR EXISTS (SELECT 1 FROM "Project" WHERE id = $3)) AND NOT EXISTS (
       SELECT 1 FROM "NotifyTarget" WHERE kind = $2 AND address = $4 AND "projectId" IS NOT DISTINCT FROM $3)`,
    [id, kind, projectId ?? null, address, secret ?? null, mayAnswer, groups],
  );
  return rowCount === 1;
}

/** Removes a target of the settings page, whose notices are then not sent. Returns false if there is none. */
export async function deleteTarget(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(`DELETE FROM "NotifyTarget" WHERE id = $1 AND source = 'settings'`, [id]);
  return rowCount === 1;
}

/** The text that the secret of a webhook is sealed with, so that it opens for no other one. */
export function webhookLabel(id: string): string {
  return `webhook/${id}`;
}

/** Gives a webhook of the settings page another sealed secret. Returns false if there is no such webhook. */
export async function replaceSecret(store: Store, id: string, secret: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `UPDATE "NotifyTarget" SET secret = $2 WHERE id = $1 AND source = 'settings' AND kind = 'webhook'`,
    [id, secret],
  );
  return rowCount === 1;
}

/** What the environment names. A target that is gone from it goes with its notices. */
export interface EnvironmentTarget {
  readonly id: string;
  readonly kind: TargetKind;
  readonly address: string;
  readonly mayAnswer: boolean;
}

/** Makes the rows of the environment's targets equal to these. Several workers may do it at once. */
export async function storeEnvironmentTargets(store: Store, targets: readonly EnvironmentTarget[]): Promise<void> {
  await store.pool.query(
    `WITH gone AS (DELETE FROM "NotifyTarget" WHERE source = 'environment' AND id <> ALL($1))
     INSERT INTO "NotifyTarget" (id, kind, source, address, "mayAnswer")
     SELECT id, kind, 'environment', address, may FROM unnest($1::text[], $2::text[], $3::text[], $4::bool[]) row(id, kind, address, may)
     ON CONFLICT (id) DO UPDATE SET address = EXCLUDED.address, "mayAnswer" = EXCLUDED."mayAnswer"`,
    [
      targets.map(({ id }) => id),
      targets.map(({ kind }) => kind),
      targets.map(({ address }) => address),
      targets.map(({ mayAnswer }) => mayAnswer),
    ],
  );
}

/**
 * Seals the secrets of webhooks anew that are not sealed with this key. `change` returns `undefined` for one that it cannot open.
 * Returns how many were changed.
 */
export async function resealTargets(
  connection: PoolClient,
  keyId: string,
  change: (id: string, sealed: string) => string | undefined,
): Promise<number> {
  const { rows } = await connection.query<{ id: string; secret: string }>(
    `SELECT id, secret FROM "NotifyTarget" WHERE secret IS NOT NULL AND secret NOT LIKE $1 ORDER BY id FOR UPDATE`,
    [`${keyId}:%`],
  );
  let changed = 0;
  for (const { id, secret } of rows) {
    const sealed = change(id, secret);
    if (sealed === undefined) continue;
    await connection.query('UPDATE "NotifyTarget" SET secret = $2 WHERE id = $1', [id, sealed]);
    changed += 1;
  }
  return changed;
}
