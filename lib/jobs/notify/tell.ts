import type { PoolClient } from 'pg';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { insertNotice, type NewNotice } from '@/lib/store/person-notices';
import { transaction } from '@/lib/store/transaction';
import { type Entry, noticesOf, toldActions } from './audit-notices';
import { meansPerson } from './review-notices';
import { type EndedRun, endOfRun } from './run-notices';

/*
 * Notices follow what was recorded: the audit log says who opened a review or published, a comment whom it mentions or answers, a run how it ended.
 * Each is told in one transaction with the mark that it was told, so nothing is told twice and nothing is forgotten, whoever wrote it and
 * whichever worker dies. Decision 0071.
 */

const toldKey = 'notices.told';
const mostAtOnce = 200;

/** Tells people of what was recorded since the last time. One worker does it at a time. Returns how much there was. */
export async function tellRecorded(store: Store): Promise<number> {
  return await transaction(store, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('notices', 71)) AS free`,
    );
    if (rows[0]?.free !== true) return 0;
    return (await tellAudit(client)) + (await tellComments(client)) + (await tellRuns(client));
  });
}

/** Entries have numbers in the order of their transactions, so none appears below a number that was told. */
async function tellAudit(client: PoolClient): Promise<number> {
  const { rows: known } = await client.query<{ value: string; newest: string }>(
    `SELECT value, (SELECT COALESCE(max(seq), 0) FROM "Audit") AS newest FROM "Setting" WHERE key = '${toldKey}'`,
  );
  const told = known[0]?.value ?? '0';
  const { rows } = await client.query<Entry>(
    `SELECT a.seq, a.action, a.actor, a.object, a."projectId", p.name AS project, u.name, a.body FROM "Audit" a
     JOIN "Project" p ON p.id = a."projectId" LEFT JOIN auth_user u ON u.email = a.actor
     WHERE a.seq > $1 AND a.action = ANY($2) ORDER BY a.seq LIMIT ${mostAtOnce}`,
    [told, toldActions],
  );
  for (const entry of rows) for (const notice of await noticesOf(client, entry)) await insertNotice(client, notice);
  const last = rows.at(-1)?.seq ?? '0';
  const newest = known[0]?.newest ?? '0';
  // An entry may have come after the first statement: then the last one that was told is newer than the newest that was known.
  const upTo = rows.length === mostAtOnce || BigInt(last) > BigInt(newest) ? last : newest;
  if (BigInt(upTo) > BigInt(told)) {
    await client.query(`UPDATE "Setting" SET value = $1 WHERE key = '${toldKey}'`, [upTo]);
  }
  return rows.length;
}

interface NewComment {
  readonly id: string;
  readonly projectId: string;
  readonly project: string;
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly authorName: string;
  /** Mail addresses of members that `@name` or `@address` means. */
  readonly people: readonly string[];
  readonly mentions: number;
  /** The author of the review, and who wrote in the thread before. */
  readonly followers: readonly string[];
}

/** Tells whom a comment mentions, and the others who follow its thread. An edit tells whom it adds. */
async function tellComments(client: PoolClient): Promise<number> {
  const { rows } = await client.query<NewComment>(
    `WITH new AS (
       UPDATE "ReviewComment" SET told = true WHERE id IN (
         SELECT id FROM "ReviewComment" WHERE NOT told ORDER BY at, id LIMIT ${mostAtOnce} FOR UPDATE SKIP LOCKED)
       RETURNING id, "threadId", author, "authorName", mentions, at, "deletedAt")
     SELECT new.id, p.id AS "projectId", p.name AS project, r.number, r.title, new.author, new."authorName",
       cardinality(new.mentions) AS mentions, ARRAY(
         SELECT u.email FROM auth_user u, unnest(new.mentions) AS said(name)
         WHERE ${meansPerson('said.name')}
       ) AS people, ARRAY(
         SELECT r.author UNION SELECT c.author FROM "ReviewComment" c WHERE c."threadId" = new."threadId" AND c.at < new.at
       ) AS followers
     FROM new JOIN "ReviewThread" t ON t.id = new."threadId" JOIN "Review" r ON r.id = t."reviewId"
     JOIN "Project" p ON p.id = r."projectId" WHERE new."deletedAt" IS NULL ORDER BY new.at, new.id`,
  );
  for (const row of rows) for (const notice of commentNotices(row)) await insertNotice(client, notice);
  return rows.length;
}

function commentNotices(row: NewComment): readonly NewNotice[] {
  const { id, projectId, project, number, title, author, authorName, people, mentions, followers } = row;
  const review = `review ${number} of ${project}: ${title}`;
  const at = {
    projectId: brandAs<ProjectId>(projectId),
    object: id,
    by: author,
    href: `/p/${projectId}/reviews/${number}`,
  };
  const others = followers.filter((person) => person !== author && !people.includes(person));
  const mentioned = {
    ...at,
    kind: 'review.mentioned',
    words: `${authorName} mentions you in ${review}`,
    people,
  } as const;
  const commented = {
    ...at,
    kind: 'review.commented',
    words: `${authorName} comments on ${review}`,
    people: others,
  } as const;
  return [...(mentions > 0 ? [mentioned] : []), ...(mentions === 0 || others.length > 0 ? [commented] : [])];
}

async function tellRuns(client: PoolClient): Promise<number> {
  const { rows } = await client.query<EndedRun>(
    `WITH ended AS (
       UPDATE "Run" SET told = true WHERE id IN (
         SELECT id FROM "Run" WHERE NOT told AND "finishedAt" IS NOT NULL AND summarised
         ORDER BY id LIMIT ${mostAtOnce} FOR UPDATE SKIP LOCKED)
       RETURNING *)
     SELECT r.id, r."projectId", p.name AS project, COALESCE(r.agent, r."entryAgent") AS agent, r.status,
       substring(r."startedBy" FROM '^trigger:(.*)$') AS trigger,
       CASE WHEN r."startedBy" LIKE 'trigger:%' THEN t.by ELSE r."startedBy" END AS "by", r."costUsd" AS usd,
       EXTRACT(EPOCH FROM r."finishedAt" - r."startedAt")::float8 - COALESCE(r."peopleMs", 0) / 1000 AS seconds,
       p."tellUsd" AS "mostUsd", p."tellSeconds" AS "mostSeconds"
     FROM ended r JOIN "Project" p ON p.id = r."projectId" LEFT JOIN "Trigger" t ON t.id = r."triggerId"
     WHERE r.source = 'callboard' AND r.fixture IS NULL ORDER BY r.id`,
  );
  for (const run of rows) for (const notice of endOfRun(run)) await insertNotice(client, notice);
  return rows.length;
}
