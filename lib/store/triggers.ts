import type { PoolClient } from 'pg';
import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { type Schedule, type TriggerKind, type TriggerTarget, triggerKinds } from '@/lib/base/triggers';
import { appendAuditIn } from './audit';
import type { Store } from './database';
import type { Prisma, Trigger } from './generated/client';
import { toPlainText } from './json-text';
import { noProject, noTrigger } from './not-found';
import type { Db } from './trees';
import { writing } from './writing';

export interface StoredTrigger {
  readonly id: string;
  readonly projectId: ProjectId;
  readonly kind: TriggerKind;
  readonly name: string;
  readonly target: TriggerTarget;
  readonly message: string;
  /** `undefined` for a webhook. */
  readonly schedule: Schedule | undefined;
  readonly nextAt: Date | undefined;
  readonly enabled: boolean;
  readonly stoppedBecause: string | undefined;
  readonly stopAfter: number;
  readonly failures: number;
  readonly by: string;
  readonly createdAt: Date;
}

export type NewTrigger = Omit<StoredTrigger, 'enabled' | 'stoppedBecause' | 'failures' | 'createdAt'> & {
  /** That of a webhook, sealed (./hook-secret.ts). */
  readonly secret: string | undefined;
};

/** What a person changes. */
export interface TriggerChange {
  readonly name?: string;
  readonly target?: TriggerTarget;
  readonly message?: string;
  readonly schedule?: Schedule;
  readonly stopAfter?: number;
  readonly enabled?: boolean;
  readonly secret?: string;
  /** Null: it is not due again. */
  readonly nextAt?: Date | null;
}

interface Author {
  readonly by: string;
  readonly via: string;
}

/** Stores a trigger. Throws AppError `conflict` if the name is taken or `most` triggers exist, and `not_found` for a project that is gone. */
export async function insertTrigger(store: Store, trigger: NewTrigger, actor: Author, most: number): Promise<void> {
  const { id, projectId, kind, name, target, message, schedule, nextAt, stopAfter, by, secret } = trigger;
  await store.prisma.$transaction(async (db) => {
    await lockTriggers(db, projectId);
    if ((await db.trigger.count({ where: { projectId } })) >= most) {
      throw new AppError('conflict', `A project has at most ${most} triggers. Delete one first.`);
    }
    await refuseName(db, projectId, name);
    const data = { id, projectId, kind, name, message: toPlainText(message), stopAfter, by, secret: secret ?? null };
    await db.trigger.create({ data: { ...data, ...columnsOf({ target, schedule }), nextAt: nextAt ?? null } });
    await appendAuditIn(db, { actor, action: 'trigger.added', object: id, project: projectId, body: { name, kind } });
  }, writing);
}

/**
 * Changes a trigger. Switching it on forgets its failures. Throws AppError `not_found`, and `conflict` if the name is taken.
 */
export async function changeTrigger(
  store: Store,
  { id, projectId }: Pick<StoredTrigger, 'id' | 'projectId'>,
  change: TriggerChange,
  actor: Author,
): Promise<void> {
  const { name, target, message, schedule, stopAfter, enabled, secret, nextAt } = change;
  await store.prisma.$transaction(async (db) => {
    await lockTriggers(db, projectId);
    const known = await db.trigger.findFirst({ where: { id, projectId } });
    if (known === null) throw noTrigger();
    if (name !== undefined && name !== known.name) await refuseName(db, projectId, name);
    await db.trigger.update({
      where: { id },
      data: {
        ...columnsOf({ target, schedule }),
        ...(name !== undefined && { name }),
        ...(message !== undefined && { message: toPlainText(message) }),
        ...(stopAfter !== undefined && { stopAfter }),
        ...(secret !== undefined && { secret }),
        ...(nextAt !== undefined && { nextAt }),
        ...(enabled !== undefined && { enabled, stoppedBecause: null }),
        ...(enabled === true && { failures: 0 }),
      },
    });
    const what = secret !== undefined ? 'secret' : enabled === undefined ? 'settings' : enabled ? 'on' : 'off';
    const body = { name: name ?? known.name, change: what };
    await appendAuditIn(db, { actor, action: 'trigger.changed', object: id, project: projectId, body });
  }, writing);
}

/** Deletes a trigger. Its runs stay. Throws AppError `not_found`. */
export async function deleteTrigger(
  store: Store,
  { id, projectId }: Pick<StoredTrigger, 'id' | 'projectId'>,
  actor: Author,
): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    const known = await db.trigger.findFirst({ where: { id, projectId } });
    if (known === null) throw noTrigger();
    await db.trigger.deleteMany({ where: { id } });
    const body = { name: known.name };
    await appendAuditIn(db, { actor, action: 'trigger.removed', object: id, project: projectId, body });
  });
}

/** Lists the triggers of a project by their names. */
export async function listTriggers(store: Store, projectId: ProjectId): Promise<readonly StoredTrigger[]> {
  const rows = await store.prisma.trigger.findMany({ where: { projectId }, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
  return rows.map(toTrigger);
}

/** Throws AppError `not_found`. */
export async function findTrigger(store: Store, projectId: ProjectId, id: string): Promise<StoredTrigger> {
  const row = await store.prisma.trigger.findFirst({ where: { id, projectId } });
  if (row === null) throw noTrigger();
  return toTrigger(row);
}

/** Finds a webhook with its sealed secret. */
export async function findHook(
  store: Store,
  id: string,
): Promise<{ readonly trigger: StoredTrigger; readonly secret: string } | undefined> {
  const row = await store.prisma.trigger.findFirst({ where: { id, kind: 'webhook' } });
  return row === null || row.secret === null ? undefined : { trigger: toTrigger(row), secret: row.secret };
}

/** Returns schedules that are due by the clock of the database, those that wait longest first, with that clock. */
export async function findDueTriggers(
  store: Store,
  limit: number,
): Promise<readonly { readonly trigger: StoredTrigger; readonly now: Date }[]> {
  const { rows } = await store.pool.query<Trigger & { readonly now: Date }>(
    `SELECT *, date_trunc('milliseconds', now()) AS now FROM "Trigger"
     WHERE enabled AND kind = 'schedule' AND "nextAt" <= now() ORDER BY "nextAt", id LIMIT $1`,
    [limit],
  );
  return rows.map(({ now, ...row }) => ({ trigger: toTrigger(row), now }));
}

/**
 * Seals the secrets of webhooks anew that are not sealed with this key. `change` returns `undefined` for one that it cannot open.
 * Returns how many were changed.
 */
export async function resealHooks(
  connection: PoolClient,
  keyId: string,
  change: (id: string, sealed: string) => string | undefined,
): Promise<number> {
  const { rows } = await connection.query<{ id: string; secret: string }>(
    `SELECT id, secret FROM "Trigger" WHERE secret IS NOT NULL AND secret NOT LIKE $1 ORDER BY id FOR UPDATE`,
    [`${keyId}:%`],
  );
  let changed = 0;
  for (const { id, secret } of rows) {
    const sealed = change(id, secret);
    if (sealed === undefined) continue;
    await connection.query('UPDATE "Trigger" SET secret = $2 WHERE id = $1', [id, sealed]);
    changed += 1;
  }
  return changed;
}

function columnsOf({ target, schedule }: Pick<TriggerChange, 'target'> & { readonly schedule: Schedule | undefined }) {
  return {
    ...(target && { label: target.label ?? null, revision: target.revision ?? null }),
    ...(schedule && { cron: schedule.cron, zone: schedule.zone }),
  } satisfies Prisma.TriggerUpdateInput;
}

/** Changes of the triggers of one project wait for each other, so that names and numbers of them are counted right. */
async function lockTriggers(db: Db, projectId: ProjectId): Promise<void> {
  const found = await db.$queryRaw<unknown[]>`SELECT 1 FROM "Project" WHERE id = ${projectId} FOR NO KEY UPDATE`;
  if (found.length === 0) throw noProject();
}

async function refuseName(db: Db, projectId: ProjectId, name: string): Promise<void> {
  if ((await db.trigger.count({ where: { projectId, name } })) > 0) {
    throw new AppError('conflict', `The project has a trigger '${name}' already. Choose another name.`);
  }
}

const kind = z.enum(triggerKinds);

function toTrigger(row: Trigger): StoredTrigger {
  const { id, projectId, name, message, enabled, stopAfter, failures, by, createdAt } = row;
  return {
    ...{ id, name, message, enabled, stopAfter, failures, by, createdAt },
    projectId: brandAs<ProjectId>(projectId),
    kind: kind.parse(row.kind),
    target: row.revision === null ? { label: row.label ?? 'live' } : { revision: row.revision },
    schedule: row.cron === null || row.zone === null ? undefined : { cron: row.cron, zone: row.zone },
    nextAt: row.nextAt ?? undefined,
    stoppedBecause: row.stoppedBecause ?? undefined,
  };
}
