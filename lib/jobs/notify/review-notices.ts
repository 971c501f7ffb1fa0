import type { PoolClient } from 'pg';
import type { ProjectId } from '@/lib/base/ids';
import { mentionsIn } from '@/lib/base/mentions';
import type { NewNotice } from '@/lib/store/person-notices';

/** What the audit log has of a review. */
export interface ReviewEntry extends Pick<NewNotice, 'object'> {
  readonly projectId: ProjectId;
  readonly action:
    | 'review.opened'
    | 'review.approved'
    | 'review.changes_requested'
    | 'review.verdict_withdrawn'
    | 'review.version_added';
  /** Who did it, and what they are called. */
  readonly by: string;
  readonly who: string;
  /** The name of the project. */
  readonly project: string;
  /** The number of the review. */
  readonly review?: number | undefined;
  readonly version?: number | undefined;
  /** The id of the verdict. */
  readonly verdict?: string | undefined;
}

/** Returns what is told of an entry about a review. Who hears of the entry for another reason is not told of a mention in it too. */
export async function reviewNotices(client: PoolClient, entry: ReviewEntry): Promise<readonly NewNotice[]> {
  const { action, projectId, object, by, who, project } = entry;
  const review = await reviewOf(client, projectId, entry.review);
  if (review === undefined) return [];
  const about = `review ${review.number} of ${project}: ${review.title}`;
  const at = { projectId, object, by, href: `/p/${projectId}/reviews/${review.number}` };
  const mention = (people: readonly string[]): readonly NewNotice[] =>
    people.length === 0 ? [] : [{ ...at, kind: 'review.mentioned', words: `${who} mentions you in ${about}`, people }];
  if (action === 'review.version_added') {
    const words = `A new version ended your verdict on ${about}`;
    return [{ ...at, kind: 'review.stale', words, people: await endedBy(client, review.id, entry.version) }];
  }
  if (action === 'review.opened') {
    const people = await mentionedIn(client, review.body);
    const words = `${who} asks for ${about}`;
    return [{ ...at, kind: 'review.asked', words, roles: ['reviewer', 'admin'], except: people }, ...mention(people)];
  }
  const people = await mentionedIn(client, await noteOf(client, review.id, entry.verdict));
  if (action === 'review.verdict_withdrawn') return mention(people);
  const words = action === 'review.approved' ? `${who} approved ${about}` : `${who} asks for changes in ${about}`;
  return [
    { ...at, kind: 'review.decided', words, people: [review.author] },
    ...mention(people.filter((person) => person !== review.author)),
  ];
}

/** The part of a statement that is true if `name` means the person `u`: by the name, the first name, or the mail address. */
export function meansPerson(name: string): string {
  return `lower(${name}) IN (u.email, split_part(u.email, '@', 1), lower(u.name), lower(split_part(u.name, ' ', 1)))`;
}

/** Returns the mail addresses of those whom a text mentions. */
async function mentionedIn(client: PoolClient, text: string): Promise<readonly string[]> {
  const names = mentionsIn(text);
  if (names.length === 0) return [];
  const { rows } = await client.query<{ email: string }>(
    `SELECT DISTINCT u.email FROM auth_user u, unnest($1::text[]) AS said(name) WHERE ${meansPerson('said.name')}`,
    [names],
  );
  return rows.map(({ email }) => email);
}

async function noteOf(client: PoolClient, reviewId: string, verdict = ''): Promise<string> {
  const { rows } = await client.query<{ note: string }>(
    `SELECT note FROM "Verdict" WHERE "reviewId" = $1 AND id = $2`,
    [reviewId, verdict],
  );
  return rows[0]?.note ?? '';
}

interface Reviewed {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
}

async function reviewOf(client: PoolClient, projectId: ProjectId, number = 0): Promise<Reviewed | undefined> {
  const { rows } = await client.query<Reviewed>(
    `SELECT id, number, title, body, author FROM "Review" WHERE "projectId" = $1 AND number = $2`,
    [projectId, number],
  );
  return rows[0];
}

/** Returns whose verdicts on the version before ended, and who has not decided again. */
async function endedBy(client: PoolClient, reviewId: string, version = 0): Promise<readonly string[]> {
  const { rows } = await client.query<{ by: string }>(
    `SELECT DISTINCT v.by FROM "Verdict" v JOIN "ReviewHead" h ON h."reviewId" = v."reviewId" AND h."revisionId" = v."revisionId"
     WHERE v."reviewId" = $1 AND h.n = $2 AND v."staleAt" IS NOT NULL AND v.verdict <> 'withdrawn'
       AND NOT EXISTS (SELECT 1 FROM "Verdict" w WHERE w."reviewId" = $1 AND w.by = v.by AND w.at > v."staleAt")`,
    [reviewId, version - 1],
  );
  return rows.map(({ by }) => by);
}
