import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { tellRecorded } from '@/lib/jobs/notify/tell';
import { readNotices } from '@/lib/server/person-notices';
import { openReview } from '@/lib/server/reviews';
import { release } from '@/lib/server/revisions';
import type { Store } from '@/lib/store/database';
import { mailServerKey } from '@/lib/store/notify-targets';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { insertRunsSql, runValues } from '@/lib/store/runs';
import { localActor } from './local-actor';
import { personInBrowser } from './token-people';

const limits = { files: 100, totalBytes: 1_000_000 };
const card = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;

interface Ended {
  readonly by: string;
  readonly status: string;
  readonly usd: number;
  readonly seconds: number;
  readonly trigger?: string;
}

/** The project Shop with its people, of which tests of notices tell. */
export function noticeShop(store: Store) {
  async function write(id: ProjectId, text: string): Promise<void> {
    const { version } = await findProject(store, id);
    const changes = [{ path: 'lead.md', file: { kind: 'text', text: card(text) } as const }];
    await saveDraft(store, id, { draft: 'main', baseVersion: version, changes, limits });
  }

  /** A project whose revision 1 is live, with a change in its draft. Nothing is told of it yet. */
  async function project(): Promise<ProjectId> {
    const id = await insertProject(store, 'Shop', folderOf({ 'lead.md': card('one') }), { origin: 'blank' });
    await release(localActor, id, { label: 'live', target: { draft: 'main' }, note: 'First', override: undefined });
    await write(id, 'two');
    await tellRecorded(store);
    await store.pool.query(`TRUNCATE "PersonNotice", "Outbox"`);
    return id;
  }

  async function team(id: ProjectId) {
    return {
      ada: await personInBrowser(store, 'ada@x.org', { in: { [id]: 'admin' } }),
      ed: await personInBrowser(store, 'ed@x.org', { in: { [id]: 'editor' } }),
      rae: await personInBrowser(store, 'rae@x.org', { in: { [id]: 'reviewer' } }),
      vic: await personInBrowser(store, 'vic@x.org', { in: { [id]: 'viewer' } }),
    };
  }

  /** Stores a run that has ended. Returns its id. */
  async function endedRun(id: ProjectId, { by, status, usd, seconds, trigger }: Ended): Promise<RunId> {
    const run = brandAs<RunId>(randomUUID());
    const { treeHash } = await findProject(store, id);
    const asked = { agent: 'lead', message: 'Go', model: undefined, trigger };
    const correlationId = brandAs<CorrelationId>(randomUUID());
    await store.pool.query(insertRunsSql, [
      ...runValues([{ id: run, projectId: id, treeHash, correlationId, ...asked }]),
    ]);
    await store.pool.query(
      `UPDATE "Run" SET status = $2, "costUsd" = $3, "startedBy" = $4, summarised = true, "startedAt" = now() - make_interval(secs => $5),
         "finishedAt" = now() WHERE id = $1`,
      [run, status, usd, by, seconds],
    );
    return run;
  }

  const open = async (by: Actor, id: ProjectId, body = '') =>
    (await openReview(by, id, { draft: 'main', title: 'Shorter', body })).number;
  const wordsOf = async (actor: Actor) =>
    (await readNotices(actor, { after: undefined, limit: 50 })).notices.map(({ words }) => words);

  /** Removes people, notices and targets. */
  async function clear(): Promise<void> {
    await store.pool.query(`TRUNCATE "PersonNotice", "NoticeChoice", "Outbox", "Member", auth_user CASCADE`);
    await store.pool.query(`DELETE FROM "NotifyTarget" WHERE id <> 'people'`);
    await store.pool.query(`DELETE FROM "Setting" WHERE key = '${mailServerKey}'`);
  }

  return { project, write, team, endedRun, open, wordsOf, clear };
}
