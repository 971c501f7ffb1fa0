import type { PoolClient } from 'pg';
import type { ProjectId } from '@/lib/base/ids';
import {
  type NoticeChoice,
  type NoticeKind,
  noticeKinds,
  noticeWords,
  type PersonGroup,
  personGroups,
  usualChoices,
} from '@/lib/base/notices';
import type { ProjectScope, Role } from '@/lib/base/rights';
import type { Store } from './database';
import { toPlainText } from './json-text';
import { noProject } from './not-found';
import { mailServerKey, peopleTarget } from './notify-targets';
import { idsOf } from './scope';

export interface NewNotice {
  readonly kind: NoticeKind;
  /** `undefined`: of the whole installation. */
  readonly projectId: ProjectId | undefined;
  /** What it is about. A person or a target is told once of a kind about an object. */
  readonly object: string;
  /** A sentence without texts of models, arguments and results, because mail and webhooks carry it out of the installation. */
  readonly words: string;
  /** The path of the page that shows more. */
  readonly href: string;
  /** Who did it: they know. `undefined` if nobody did. */
  readonly by: string | undefined;
  /** Mail addresses, or `local`. Only those who may open the project are told. */
  readonly people?: readonly string[];
  /** Everybody who has one of these roles in the project is told; of the installation, its administrators if there is any role. */
  readonly roles?: readonly Role[];
  /** Who is not told of it, because another notice tells them. */
  readonly except?: readonly string[];
}

/**
 * Tells people and the targets of a project, in the transaction of the caller: the notice is there if and only if what it tells of is.
 * Workers send mail and webhooks afterwards, as often as it takes. Where nobody has an account, the one person is `local`.
 */
export async function insertNotice(connection: Pick<PoolClient, 'query'>, notice: NewNotice): Promise<void> {
  const { kind, projectId, object, words, href, by, people = [], roles = [], except = [] } = notice;
  const group = noticeKinds[kind];
  const usual = usualChoices[group];
  const said = toPlainText(noticeWords(words));
  const body = JSON.stringify({ project: projectId, words: said, href });
  await connection.query(
    `WITH who AS (
       SELECT u.email AS person FROM auth_user u LEFT JOIN "Member" m ON m."userId" = u.id AND m."projectId" = $2
       WHERE u."deactivatedAt" IS NULL AND u.email IS DISTINCT FROM $6 AND u.email <> ALL($13)
         AND ((u.email = ANY($7) AND (m.role IS NOT NULL OR u.administrator)) OR m.role = ANY($8)
           OR ($2::text IS NULL AND u.administrator AND cardinality($8::text[]) > 0))
       UNION SELECT 'local' WHERE $6 IS DISTINCT FROM 'local' AND NOT EXISTS (SELECT 1 FROM auth_user)
         AND ('local' = ANY($7) OR cardinality($8::text[]) > 0)
     ), chosen AS (
       SELECT who.person, COALESCE(c."inApp", $10) AS "inApp", COALESCE(c.mail, $11) AS mail
       FROM who LEFT JOIN "NoticeChoice" c ON c.person = who.person AND c."group" = $9
     ), told AS (
       INSERT INTO "PersonNotice" (id, person, "projectId", kind, object, words, href, hidden)
       SELECT ${orderedId}, person, $2, $1, $3, $4, $5, NOT "inApp" FROM chosen WHERE "inApp" OR mail
       ON CONFLICT DO NOTHING RETURNING person
     ), mailed AS (
       INSERT INTO "Outbox" (id, kind, target, person, body, "nextAt")
       SELECT ${newId}, $1, '${peopleTarget}', told.person, $12, now() FROM told JOIN chosen USING (person)
       WHERE mail AND told.person <> 'local' AND EXISTS (SELECT 1 FROM "Setting" WHERE key = '${mailServerKey}' AND value <> 'null')
     )
     INSERT INTO "Outbox" (id, kind, target, object, body, "nextAt")
     SELECT ${newId}, $1, t.id, $3, $12, now() FROM "NotifyTarget" t
     WHERE (t."projectId" IS NULL OR t."projectId" = $2) AND $9 = ANY(t.groups)
       AND ($2::text IS NULL OR EXISTS (SELECT 1 FROM "Project" WHERE id = $2))
     ON CONFLICT DO NOTHING`,
    [
      ...[kind, projectId ?? null, object, said, href, by ?? null, people, roles],
      ...[group, usual.inApp, usual.mail, body, except],
    ],
  );
}

/** Notices of one transaction have one time. Their ids keep their order. */
const orderedId = `to_char(clock_timestamp(), 'YYYYMMDDHH24MISSUS') || '-' || left(gen_random_uuid()::text, 8)`;
const newId = `'msg_' || replace(gen_random_uuid()::text, '-', '')`;

export interface StoredNotice {
  readonly id: string;
  readonly kind: string;
  readonly projectId: ProjectId | null;
  readonly projectName: string | null;
  readonly words: string;
  readonly href: string;
  readonly createdAt: Date;
  readonly readAt: Date | null;
}

/** The place after which a page begins. */
export interface NoticePlace {
  readonly at: Date;
  readonly id: string;
}

/** Lists what a person was told about the projects of `scope`, newest first. */
export async function listPersonNotices(
  store: Store,
  person: string,
  page: { readonly scope: ProjectScope; readonly after: NoticePlace | undefined; readonly limit: number },
): Promise<readonly StoredNotice[]> {
  const { scope, after, limit } = page;
  const { rows } = await store.pool.query<StoredNotice>(
    `SELECT n.id, n.kind, n."projectId", p.name AS "projectName", n.words, n.href, n."createdAt", n."readAt"
     FROM "PersonNotice" n LEFT JOIN "Project" p ON p.id = n."projectId"
     WHERE n.person = $1 AND NOT n.hidden AND ($2::text[] IS NULL OR n."projectId" = ANY($2))
       AND ($3::timestamptz IS NULL OR (n."createdAt", n.id) < ($3, $4))
     ORDER BY n."createdAt" DESC, n.id DESC LIMIT $5`,
    [person, idsOf(scope), after?.at ?? null, after?.id ?? '', limit],
  );
  return rows;
}

const mostCounted = 100;

/** Counts what a person has not read, up to 100. */
export async function countUnread(store: Store, person: string, scope: ProjectScope): Promise<number> {
  const { rows } = await store.pool.query<{ unread: number }>(
    `SELECT count(*)::int AS unread FROM (
       SELECT 1 FROM "PersonNotice" WHERE person = $1 AND "readAt" IS NULL AND NOT hidden
         AND ($2::text[] IS NULL OR "projectId" = ANY($2)) LIMIT ${mostCounted}) few`,
    [person, idsOf(scope)],
  );
  return rows[0]?.unread ?? 0;
}

/** Marks notices of the person about the projects of `scope` as read: those of `ids`, or all up to now. */
export async function markRead(
  store: Store,
  person: string,
  ids: readonly string[] | 'all',
  scope: ProjectScope,
): Promise<void> {
  await store.pool.query(
    `UPDATE "PersonNotice" SET "readAt" = now() WHERE person = $1 AND "readAt" IS NULL AND ($2::text[] IS NULL OR id = ANY($2))
       AND ($3::text[] IS NULL OR "projectId" = ANY($3))`,
    [person, ids === 'all' ? null : ids, idsOf(scope)],
  );
}

export interface GroupChoice extends NoticeChoice {
  readonly group: PersonGroup;
}

/** Returns how a person hears of each group. */
export async function readChoices(store: Store, person: string): Promise<readonly GroupChoice[]> {
  const { rows } = await store.pool.query<GroupChoice>(
    `SELECT "group", "inApp", mail FROM "NoticeChoice" WHERE person = $1`,
    [person],
  );
  return personGroups.map((group) => rows.find((row) => row.group === group) ?? { group, ...usualChoices[group] });
}

export async function storeChoice(store: Store, person: string, choice: GroupChoice): Promise<void> {
  await store.pool.query(
    `INSERT INTO "NoticeChoice" (person, "group", "inApp", mail) VALUES ($1, $2, $3, $4)
     ON CONFLICT (person, "group") DO UPDATE SET "inApp" = EXCLUDED."inApp", mail = EXCLUDED.mail`,
    [person, choice.group, choice.inApp, choice.mail],
  );
}

/** People are told of runs that cost or took more. `undefined`: no line. */
export interface TellLine {
  /** US dollars. */
  readonly usd: number | undefined;
  /** Without the time in which people were asked. */
  readonly seconds: number | undefined;
}

export async function readTellLine(store: Store, project: ProjectId): Promise<TellLine> {
  const row = await store.prisma.project.findUnique({
    where: { id: project },
    select: { tellUsd: true, tellSeconds: true },
  });
  if (row === null) throw noProject();
  return { usd: row.tellUsd ?? undefined, seconds: row.tellSeconds ?? undefined };
}

export async function storeTellLine(store: Store, project: ProjectId, { usd, seconds }: TellLine): Promise<void> {
  const data = { tellUsd: usd ?? null, tellSeconds: seconds ?? null };
  const { count } = await store.prisma.project.updateMany({ where: { id: project }, data });
  if (count === 0) throw noProject();
}

/** Notices are kept for 90 days. */
export async function removeOldPersonNotices(store: Store): Promise<void> {
  await store.pool.query(`DELETE FROM "PersonNotice" WHERE "createdAt" < now() - interval '90 days'`);
}
