import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ProjectId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import type { NewNotice } from '@/lib/store/person-notices';
import { commandNotices } from './command-notices';
import { reviewNotices } from './review-notices';

/** The actions of the audit log of which people are told. */
export const toldActions = [
  'review.opened',
  'review.approved',
  'review.changes_requested',
  'review.verdict_withdrawn',
  'review.version_added',
  'revision.published',
  'revision.promoted',
  'revision.rolled_back',
  'trigger.stopped',
  'mirror.failed',
  'command.asked',
  'command.approved',
  'command.denied',
  'command.revoked',
] as const;

const entryBody = z.object({
  review: z.number().optional(),
  revision: z.number().optional(),
  version: z.number().optional(),
  verdict: z.string().optional(),
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
  if (
    action === 'command.asked' ||
    action === 'command.approved' ||
    action === 'command.denied' ||
    action === 'command.revoked'
  ) {
    return await commandNotices(client, { ...shared, seq, who, action, project });
  }
  return await reviewNotices(client, { ...shared, project, who, action, ...said });
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
