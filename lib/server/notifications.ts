import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { AuditAction } from '@/lib/base/audit';
import type { ProjectId } from '@/lib/base/ids';
import { type JsonObject, parseJson } from '@/lib/base/json';
import type { NoticeGroup } from '@/lib/base/notices';
import type { NoticeInfo, NotificationState } from '@/lib/base/notification-info';
import { isMailAddress, problemOfWebhook } from '@/lib/jobs/notify/notify-settings';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { noTarget } from '@/lib/store/not-found';
import {
  deleteTarget,
  insertTarget,
  listTargets,
  mailServerKey,
  type NewTarget,
  replaceSecret,
  webhookLabel,
} from '@/lib/store/notify-targets';
import { insertTest, type ListedNotice, listNotices } from '@/lib/store/outbox';
import { sealNamed } from '@/lib/store/sealing';
import { readSetting } from '@/lib/store/settings';
import { placeIn } from './authorize';
import { countTry } from './limits/tries';
import { ownSealingKey } from './sealing-key';
import { withScope, withStore, withStoreOnce } from './services';
import { publicAddress } from './settings/process-env';

const shownNotices = 5;
const mailServer = z.object({ host: z.string(), from: z.string() });

/** Returns the targets that the actor may change, with their latest notices. It has no secret. */
export async function readNotifications(actor: Actor): Promise<NotificationState> {
  return await withScope(actor, 'settings.change', async (store, scope) => {
    const [targets, notices] = [await listTargets(store, scope), await listNotices(store, shownNotices)];
    return {
      targets: targets.map(({ id, kind, source, projectName, address, mayAnswer, groups }) => ({
        ...{ id, kind, source, projectName, address, mayAnswer, groups },
        notices: notices.filter(({ target }) => target === id).map(noticeOf),
      })),
      mailServer: await readMailServer(store),
      publicUrl: publicAddress()?.origin,
    };
  });
}

/** Of which project a target is told what. */
interface TargetChoice {
  readonly project: ProjectId | undefined;
  readonly groups: readonly NoticeGroup[];
}

/**
 * Adds a webhook. Returns the secret that signs what it gets. The secret is not shown again. Throws AppError `bad_request` and
 * `conflict`.
 */
export async function addWebhook(
  actor: Actor,
  { url, project, groups }: TargetChoice & { readonly url: string },
): Promise<{ readonly secret: string }> {
  const problem = problemOfWebhook(url);
  if (problem !== undefined) throw new AppError('bad_request', `The address of the webhook ${problem}`);
  const secret = newSecret();
  const body = { kind: 'webhook', host: new URL(url).host, groups };
  await add(actor, { kind: 'webhook', address: url, projectId: project, secret, mayAnswer: false, groups }, body);
  return { secret };
}

/** Adds a mail address. Throws AppError `bad_request` and `conflict`. */
export async function addMail(
  actor: Actor,
  input: TargetChoice & { readonly address: string; readonly mayAnswer: boolean },
): Promise<void> {
  const { address, project, groups, mayAnswer } = input;
  if (!isMailAddress(address)) throw new AppError('bad_request', `'${address}' is no mail address.`);
  const at = placeIn(project);
  if ((await withStore(actor, 'settings.change', at, readMailServer)) === undefined) {
    throw new AppError('bad_request', 'No mail server is set. Set CALLBOARD_SMTP_URL and CALLBOARD_MAIL_FROM first.');
  }
  const body = { kind: 'mail', address, mayAnswer, groups };
  await add(actor, { kind: 'mail', address, projectId: project, secret: undefined, mayAnswer, groups }, body);
}

async function add(actor: Actor, target: Omit<NewTarget, 'id'>, body: JsonObject): Promise<void> {
  await withStoreOnce(actor, 'settings.change', placeIn(target.projectId), async ({ store }) => {
    const id = randomUUID();
    const secret = target.secret === undefined ? undefined : sealed(id, target.secret);
    if (!(await insertTarget(store, { ...target, id, secret }))) {
      throw new AppError('conflict', `${target.address} is in the list already, or the project is gone.`);
    }
    await note(store, actor, { action: 'notice_target.added', object: id, project: target.projectId, body });
  });
}

/** Gives a webhook another secret and returns it. The old one signs nothing from then on. Throws AppError `not_found`. */
export async function renewSecret(actor: Actor, id: string): Promise<{ readonly secret: string }> {
  return await withStoreOnce(actor, 'settings.change', { target: id }, async ({ store }) => {
    const secret = newSecret();
    if (!(await replaceSecret(store, id, sealed(id, secret)))) throw noTarget();
    await note(store, actor, { action: 'notice_target.changed', object: id, body: { kind: 'webhook' } });
    return { secret };
  });
}

/** Removes a target. What waits for it is not sent, and links in its mail answer nothing any more. Throws AppError `not_found`. */
export async function removeTarget(actor: Actor, id: string): Promise<void> {
  await withStoreOnce(actor, 'settings.change', { target: id }, async ({ store }) => {
    if (!(await deleteTarget(store, id))) throw noTarget();
    await note(store, actor, { action: 'notice_target.removed', object: id, body: {} });
  });
}

/** Has a worker send a notice that says nothing. Throws AppError `not_found`, and `too_many` after ten in ten minutes. */
export async function testTarget(actor: Actor, id: string): Promise<void> {
  await withStoreOnce(actor, 'settings.change', { target: id }, async ({ store }) => {
    await countTry(store, 'test notice', id);
    if (!(await insertTest(store, id))) throw noTarget();
  });
}

async function note(
  store: Store,
  actor: Actor,
  entry: {
    readonly action: AuditAction;
    readonly object: string;
    readonly project?: ProjectId | undefined;
    readonly body: JsonObject;
  },
): Promise<void> {
  await appendAudit(store.pool, { actor, ...entry });
}

async function readMailServer(store: Store): Promise<z.infer<typeof mailServer> | undefined> {
  return mailServer.safeParse(parseJson((await readSetting(store, mailServerKey)) ?? '')).data;
}

function noticeOf({ id, kind, attempts, createdAt, sentAt, nextAt, error }: ListedNotice): NoticeInfo {
  return {
    ...{ id, isTest: kind === 'test', attempts, error },
    state: sentAt !== undefined ? 'sent' : nextAt !== undefined ? 'waiting' : 'given up',
    at: (sentAt ?? nextAt ?? createdAt).getTime(),
  };
}

/** Only workers can open it. */
function sealed(id: string, secret: string): string {
  return sealNamed(secret, webhookLabel(id), ownSealingKey());
}

/** As Standard Webhooks writes it. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
