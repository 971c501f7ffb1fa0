import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ProjectId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import type { NewNotice } from '@/lib/store/person-notices';

/** The actions of the audit log of which people are told. */
export const toldActions = [
  'review.opened',
  'review.approved',
  'review.changes_requested',
  'review.version_added',
  'revision.published',
  'revision.promoted',
  'revision.rolled_back',
  'trigger.stopped',
  'mirror.failed',
] as const;

const entryBody = z.object({
  review: z.number().optional(),
  revision: z.number().optional(),
  version: z.number().optional(),
  label: z.string().optional(),
  name: z.string().optional(),
  failures: z.number().optional(),
  host: z.string().optional(),
  state: z.string().optional(),
});

/** An entry of the audit log, with the names of its project and of who did it. */
export interface Entry {
  readonly seq: string;
  readonly action: (typeof toldActions)[number];
  readonly actor: string;
  readonly object: string;
  readonly projectId: ProjectId;
  readonly project: string;
  readonly name: string | null;
  readonly body: string;
}

/** Returns what is told of an entry, and to whom. */
export async function noticesOf(client: PoolClient, entry: Entry): Promise<readonly NewNotice[]> {
  const { seq, action, actor, projectId, project, name } = entry;
  const said = entryBody.safeParse(parseJson(entry.body)).data ?? {};
  const shared = { projectId, object: `audit ${seq}`, by: actor };
  const who = name ?? actor;
  if (action === 'revision.published' || action === 'revision.promoted' || action === 'revision.rolled_back') {
    if (said.label !== 'live') return [];
    const done = action === 'revision.rolled_back' ? 'rolled back to' : 'published';
    const words = `${who} ${done} revision ${said.revision} of ${project}`;
    const href = `/p/${projectId}/revisions`;
    return [{ ...shared, kind: 'revision.live', words, href, roles: ['runner', 'editor', 'reviewer', 'admin'] }];
  }
  if (action === 'trigger.stopped') {
    const { name: trigger, failures } = said;
    const after = failures === 1 ? 'a failure' : `${failures} failures in a row`;
    const words = `Callboard switched off the trigger ${trigger} of ${project} after ${after}`;
    const at = { href: `/p/${projectId}/triggers`, people: await makerOf(client, entry.object) };
    return [{ ...shared, ...at, kind: 'trigger.off', words, roles: ['admin'] }];
  }
  if (action === 'mirror.failed') return mirrorNotices(entry, said);
  const review = await reviewOf(client, projectId, said.review);
  if (review === undefined) return [];
  const about = `review ${review.number} of ${project}: ${review.title}`;
  const at = { ...shared, href: `/p/${projectId}/reviews/${review.number}` };
  switch (action) {
    case 'review.opened':
      return [{ ...at, kind: 'review.asked', words: `${who} asks for ${about}`, roles: ['reviewer', 'admin'] }];
    case 'review.approved':
      return [{ ...at, kind: 'review.decided', words: `${who} approved ${about}`, people: [review.author] }];
    case 'review.changes_requested':
      return [{ ...at, kind: 'review.decided', words: `${who} asks for changes in ${about}`, people: [review.author] }];
    case 'review.version_added': {
      const words = `A new version ended your verdict on ${about}`;
      return [{ ...at, kind: 'review.stale', words, people: await endedBy(client, review.id, said.version) }];
    }
  }
}

/** The reason stays here: it may quote the remote, and notices leave the installation. */
function mirrorNotices(
  { seq, projectId, project, actor }: Entry,
  { host, state }: z.infer<typeof entryBody>,
): readonly NewNotice[] {
  // What is tried again may pass by itself.
  if (state !== 'failed' && state !== 'diverged') return [];
  const words =
    state === 'diverged'
      ? `The mirror of ${project} at ${host} has something that is not from here, so nothing was pushed`
      : `Callboard could not push what is live in ${project} to its mirror at ${host}`;
  const at = { projectId, object: `audit ${seq}`, by: actor, href: `/p/${projectId}/revisions` };
  return [{ ...at, kind: 'mirror.failed', words, roles: ['admin'] }];
}

/** Returns who made a trigger. */
async function makerOf(client: PoolClient, trigger: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ by: string }>(`SELECT by FROM "Trigger" WHERE id = $1`, [trigger]);
  return rows.map(({ by }) => by);
}

interface Reviewed {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly author: string;
}

async function reviewOf(client: PoolClient, projectId: ProjectId, number = 0): Promise<Reviewed | undefined> {
  const { rows } = await client.query<Reviewed>(
    `SELECT id, number, title, author FROM "Review" WHERE "projectId" = $1 AND number = $2`,
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
