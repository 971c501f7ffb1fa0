import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { NoticeInfo } from '@/lib/base/notices';
import { appendAudit } from '@/lib/store/audit';
import { mailServerKey } from '@/lib/store/notify-targets';
import {
  countUnread,
  type GroupChoice,
  listPersonNotices,
  markRead,
  readChoices,
  readTellLine,
  storeChoice,
  storeTellLine,
  type TellLine,
} from '@/lib/store/person-notices';
import { readSetting } from '@/lib/store/settings';
import { cursorOf, placeOf } from './page-cursor';
import { withScope, withStore, withStoreOnce } from './services';

/** A page of what the actor was told, newest first. `next` is the `after` of the page that follows. */
export interface NoticePage {
  readonly notices: readonly NoticeInfo[];
  readonly next: string | undefined;
}

/** Lists what the actor was told about projects that the actor may still open. Throws AppError `bad_request` for an unknown `after`. */
export async function readNotices(
  actor: Actor,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<NoticePage> {
  const place = after === undefined ? undefined : placeOf(after);
  return await withScope(actor, 'project.read', async (store, scope) => {
    const from = place && { at: place.time, id: place.id };
    const rows = await listPersonNotices(store, actor.by, { scope, after: from, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      notices: shown.map(({ id, kind, projectId, projectName, words, href, createdAt, readAt }) => ({
        ...{ id, kind, words, href },
        ...(projectId !== null && projectName !== null && { project: projectId, projectName }),
        ...{ at: createdAt.getTime(), isRead: readAt !== null },
      })),
      next: rows.length > limit && last !== undefined ? cursorOf({ time: last.createdAt, id: last.id }) : undefined,
    };
  });
}

/** Counts what the actor has not read, up to 100. */
export async function readUnread(actor: Actor): Promise<number> {
  return await withScope(actor, 'project.read', (store, scope) => countUnread(store, actor.by, scope));
}

/** Marks notices of the actor about projects that the actor may open as read. Ids of others are ignored. */
export async function markAsRead(actor: Actor, ids: readonly string[] | 'all'): Promise<void> {
  await withScope(actor, 'project.read', (store, scope) => markRead(store, actor.by, ids, scope));
}

/** How the actor hears of each group, and whether mail can be sent. */
export interface NoticeChoices {
  readonly choices: readonly GroupChoice[];
  readonly sendsMail: boolean;
}

export async function readNoticeChoices(actor: Actor): Promise<NoticeChoices> {
  return await withStore(actor, 'account.self', 'installation', async (store) => ({
    choices: await readChoices(store, actor.by),
    sendsMail: actor.reach !== 'all' && ((await readSetting(store, mailServerKey)) ?? 'null') !== 'null',
  }));
}

export async function chooseNotices(actor: Actor, choice: GroupChoice): Promise<void> {
  await withStore(actor, 'account.self', 'installation', (store) => storeChoice(store, actor.by, choice));
}

/** Returns the line above which people are told of runs of a project. Throws AppError `not_found`. */
export async function readLine(actor: Actor, project: ProjectId): Promise<TellLine> {
  return await withStore(actor, 'settings.change', { project }, (store) => readTellLine(store, project));
}

/** Sets the line. Throws AppError `bad_request` for one that is not above zero, and `not_found`. */
export async function setLine(actor: Actor, project: ProjectId, line: TellLine): Promise<void> {
  for (const value of [line.usd, line.seconds]) {
    if (value !== undefined && !(value > 0))
      throw new AppError('bad_request', 'A line is above zero. Leave it empty for none.');
  }
  await withStoreOnce(actor, 'settings.change', { project }, async ({ store }) => {
    await storeTellLine(store, project, line);
    const body = { usd: line.usd ?? null, seconds: line.seconds ?? null };
    await appendAudit(store.pool, { actor, action: 'notice_line.set', object: project, project, body });
  });
}
