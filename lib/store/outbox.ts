import { z } from 'zod';
import { brandAs, type PendingId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import type { NoticeKind } from '@/lib/base/notices';
import type { Store } from './database';
import { dueNowSql } from './due-now';
import type { TargetKind } from './notify-targets';

/*
 * Notices wait in a table until they are sent:
 *
 *   insertNoticesSql     the statement that stores a question stores its notices
 *   claimNotices         a worker takes what is due. Each notice is then due again only after the lease, so no second worker sends it
 *   settleNotice         it was sent; or it is tried again later; or it is given up, and the reason is kept
 *
 * A worker that dies between sending and settling leaves a notice that is sent again with the same id.
 */

/** A worker has this long to send what it has claimed. It is longer than the time limit of any request. */
const leaseSeconds = 60;
/** Mail waits for this long, so that questions of a run that come together are one message. */
const gatherSeconds = 3;

/** The part of a statement that stores notices of the rows of `asked` (id, status, "projectId") for all targets of their projects. */
export const insertNoticesSql = `, noticed AS (
    INSERT INTO "Outbox" (id, kind, target, body, "nextAt")
    SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), 'item.asked', t.id, json_build_object('item', asked.id)::text,
      now() + CASE t.kind WHEN 'mail' THEN interval '${gatherSeconds} seconds' ELSE interval '0' END
    FROM asked JOIN "NotifyTarget" t ON t."projectId" IS NULL OR t."projectId" = asked."projectId"
    WHERE asked.status = 'open' AND 'questions' = ANY(t.groups)
  )`;

export interface DueNotice {
  readonly id: string;
  readonly kind: 'item.asked' | 'test' | NoticeKind;
  /** The question, of a notice about one. */
  readonly item: PendingId | undefined;
  /** What is told, of a notice about something else. */
  readonly told: Told | undefined;
  /** The person whom it goes to, and whether they may open the project now; `undefined` if it goes to the target's own address. */
  readonly person: { readonly address: string; readonly mayRead: boolean } | undefined;
  /** This attempt, counted from 1. */
  readonly attempt: number;
  readonly target: {
    readonly id: string;
    readonly kind: TargetKind;
    readonly isOfEnvironment: boolean;
    readonly address: string;
    readonly secret: string | undefined;
    readonly mayAnswer: boolean;
  };
}

const toldBody = z.object({ project: z.string().optional(), words: z.string(), href: z.string() });
export type Told = z.infer<typeof toldBody>;

interface DueRow {
  readonly id: string;
  readonly kind: DueNotice['kind'];
  readonly body: string;
  readonly attempts: number;
  readonly person: string | null;
  readonly mayRead: boolean;
  readonly target: string;
  readonly channel: TargetKind;
  readonly source: string;
  readonly address: string;
  readonly secret: string | null;
  readonly mayAnswer: boolean;
}

/** Takes up to `limit` notices that are due. Nobody else gets them until the lease is over. */
export async function claimNotices(store: Store, limit: number): Promise<readonly DueNotice[]> {
  const { rows } = await store.pool.query<DueRow>(
    `UPDATE "Outbox" o SET attempts = attempts + 1, "nextAt" = now() + interval '${leaseSeconds} seconds'
     FROM "NotifyTarget" t, (
       SELECT id FROM "Outbox" notice WHERE "nextAt" <= ${dueNowSql} AND EXISTS (SELECT 1 FROM "NotifyTarget" WHERE id = notice.target)
       ORDER BY "nextAt" LIMIT $1 FOR UPDATE SKIP LOCKED
     ) due
     WHERE o.id = due.id AND t.id = o.target
     RETURNING o.id, o.kind, o.body, o.attempts, o.person, t.id AS target, t.kind AS channel, t.source, t.address, t.secret,
       t."mayAnswer", EXISTS (SELECT 1 FROM auth_user u WHERE u.email = o.person AND u."deactivatedAt" IS NULL AND (u.administrator OR
         EXISTS (SELECT 1 FROM "Member" m WHERE m."userId" = u.id AND m."projectId" = o.body::json->>'project'))) AS "mayRead"`,
    [limit],
  );
  return rows.map(toDue);
}

const itemBody = z.object({ item: z.string().optional() });

function toDue(row: DueRow): DueNotice {
  const { id, kind, attempts, person, mayRead, target, channel, source, address, secret, mayAnswer } = row;
  const body = parseJson(row.body);
  const item = itemBody.safeParse(body).data?.item;
  return {
    ...{ id, kind, item: item === undefined ? undefined : brandAs<PendingId>(item), attempt: attempts },
    told: toldBody.safeParse(body).data,
    person: person === null ? undefined : { address: person, mayRead },
    target: {
      ...{ id: target, kind: channel, address: person ?? address, mayAnswer },
      isOfEnvironment: source === 'environment',
      secret: secret ?? undefined,
    },
  };
}

/** How an attempt ended. */
export type NoticeEnd =
  | { readonly state: 'sent' }
  | { readonly state: 'again'; readonly afterMs: number; readonly error: string }
  | { readonly state: 'given up'; readonly error: string };

const longestError = 500;

/** Stores how an attempt ended, unless the notice was claimed again meanwhile. */
export async function settleNotice(
  store: Store,
  { id, attempt }: Pick<DueNotice, 'id' | 'attempt'>,
  end: NoticeEnd,
): Promise<void> {
  const error = end.state === 'sent' ? null : end.error.replaceAll('\0', '').slice(0, longestError);
  await store.pool.query(
    `UPDATE "Outbox" SET "sentAt" = CASE WHEN $3 = 'sent' THEN now() END, error = $4,
       "nextAt" = CASE WHEN $3 = 'again' THEN now() + make_interval(secs => $5::float8 / 1000) END
     WHERE id = $1 AND attempts = $2 AND "sentAt" IS NULL`,
    [id, attempt, end.state, error, end.state === 'again' ? end.afterMs : 0],
  );
}

/** Stores a notice that says nothing, to try a target. Returns false if there is no such target. */
export async function insertTest(store: Store, target: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `INSERT INTO "Outbox" (id, kind, target, body, "nextAt")
     SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), 'test', id, '{}', now() FROM "NotifyTarget" WHERE id = $1`,
    [target],
  );
  return rowCount === 1;
}

/** A notice as the settings page lists it. */
export interface ListedNotice {
  readonly id: string;
  readonly target: string;
  readonly kind: DueNotice['kind'];
  readonly attempts: number;
  readonly createdAt: Date;
  readonly sentAt: Date | undefined;
  /** When it is tried again. */
  readonly nextAt: Date | undefined;
  readonly error: string | undefined;
}

/** Returns the newest notices of each target, at most `each`. */
export async function listNotices(store: Store, each: number): Promise<readonly ListedNotice[]> {
  const { rows } = await store.pool.query<{
    id: string;
    target: string;
    kind: DueNotice['kind'];
    attempts: number;
    createdAt: Date;
    sentAt: Date | null;
    nextAt: Date | null;
    error: string | null;
  }>(
    `SELECT o.id, o.target, o.kind, o.attempts, o."createdAt", o."sentAt", o."nextAt", o.error
     FROM "NotifyTarget" t CROSS JOIN LATERAL (
       SELECT * FROM "Outbox" WHERE target = t.id ORDER BY "createdAt" DESC, id LIMIT $1
     ) o`,
    [each],
  );
  return rows.map(({ sentAt, nextAt, error, ...row }) => ({
    ...row,
    sentAt: sentAt ?? undefined,
    nextAt: nextAt ?? undefined,
    error: error ?? undefined,
  }));
}

/** Notices that were sent or given up are kept for 30 days, and those of a target that is gone are removed. */
export async function removeOldNotices(store: Store): Promise<void> {
  await store.pool.query(
    `DELETE FROM "Outbox" notice WHERE ("nextAt" IS NULL AND "createdAt" < now() - interval '30 days')
     OR NOT EXISTS (SELECT 1 FROM "NotifyTarget" WHERE id = notice.target)`,
  );
}
