import { createHash } from 'node:crypto';
import type { Clock } from '@/lib/base/clock';
import type { RunId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { mailServerKey, storeEnvironmentTargets, webhookLabel } from '@/lib/store/notify-targets';
import { claimNotices, type DueNotice, type NoticeEnd, settleNotice } from '@/lib/store/outbox';
import { readItems, type StoredItem } from '@/lib/store/pending-items';
import { type OpeningKey, unsealNamed } from '@/lib/store/sealing';
import { writeSetting } from '@/lib/store/settings';
import { type AddressGuard, createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { createGuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import type { OwnAddress } from '@/lib/tools/mcp/own-addresses';
import { linkDays, writeAnswerLink } from './answer-link';
import { type Mail, type MailedItem, questionMail, sendMail, testMail, toldMail } from './mail';
import { toldBody, webhookBody } from './notice-words';
import type { NotifySettings } from './notify-settings';
import { postWebhook } from './webhook';

/** After a failed attempt the next one waits for so long, in seconds, more or less by a fifth. */
const waitSeconds = [5, 60, 300, 1_800, 7_200, 18_000, 36_000] as const;
const mostAttempts = waitSeconds.length + 1;
/** A worker sends so many at the same time. */
const atOnce = 20;

export interface NoticeSenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: NotifySettings;
  /** The port of the app on this machine, for links where no public address is set. */
  readonly port: number;
  /** Decides which addresses webhooks of the settings page may have. */
  readonly guard: AddressGuard;
  readonly own?: readonly OwnAddress[] | undefined;
  /** The keys that open secrets of webhooks. Links of mails are signed with the first; without one mails have none. */
  readonly keys: readonly OpeningKey[];
  /** From 0 up to 1. */
  readonly random?: () => number;
}

export interface NoticeSender {
  /** Tells the settings page what this worker's environment names. */
  announce(): Promise<void>;
  /** Sends what is due. Returns the number of notices. */
  sendDue(): Promise<number>;
  close(): void;
}

/**
 * Sends notices from the outbox. Each is sent by one worker. One that fails is tried again, at most 8 times in 17 hours. A notice about
 * a question that has ended is not sent.
 */
export function createNoticeSender(options: NoticeSenderOptions): NoticeSender {
  return new Sender(options);
}

class Sender implements NoticeSender {
  private readonly near;
  private readonly anywhere;
  private readonly base: string;

  constructor(private readonly options: NoticeSenderOptions) {
    this.near = createGuardedFetch(options.guard);
    // The operator has chosen the address. Metadata services and Callboard itself stay closed.
    this.anywhere = createGuardedFetch(createAddressGuard('1', { own: options.own }));
    this.base = options.settings.publicUrl ?? `http://127.0.0.1:${options.port}`;
  }

  async announce(): Promise<void> {
    const { store, settings } = this.options;
    const { webhook, mail } = settings;
    await storeEnvironmentTargets(store, [
      ...(webhook === undefined
        ? []
        : [{ id: 'environment-webhook', kind: 'webhook' as const, address: '', mayAnswer: false }]),
      ...(mail?.to ?? []).map((address) => {
        const id = `environment-mail-${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;
        return { id, kind: 'mail' as const, address, mayAnswer: mail?.mayAnswer === true };
      }),
    ]);
    const server = mail === undefined ? null : { host: mail.host, from: mail.from };
    await writeSetting(store.pool, mailServerKey, JSON.stringify(server));
  }

  async sendDue(): Promise<number> {
    const { store } = this.options;
    const due = await claimNotices(store, atOnce);
    if (due.length === 0) return 0;
    const ids = due.flatMap(({ item }) => (item === undefined ? [] : [item]));
    const items = new Map((await readItems(store, ids, 'all')).map((item) => [item.id, item]));
    const groups = groupsOf(due.map((notice) => ({ notice, item: notice.item && items.get(notice.item) })));
    await Promise.all(groups.map((group) => this.sendGroup(group)));
    return due.length;
  }

  close(): void {
    this.near.close();
    this.anywhere.close();
  }

  private async sendGroup(group: readonly Found[]): Promise<void> {
    const left: Found[] = [];
    for (const found of group) {
      const reason = whyNot(found);
      if (reason === undefined) left.push(found);
      else await settleNotice(this.options.store, found.notice, { state: 'given up', error: reason });
    }
    const [first] = left;
    if (first === undefined) return;
    const { kind } = first.notice.target;
    const end = kind === 'webhook' ? await this.postOne(first) : await this.mailAll(left);
    for (const { notice } of left) await settleNotice(this.options.store, notice, end(notice));
  }

  private async postOne({ notice, item }: Found): Promise<(notice: DueNotice) => NoticeEnd> {
    const { settings, clock } = this.options;
    const { target } = notice;
    const known = target.isOfEnvironment ? settings.webhook : { url: target.address, secret: this.secretOf(target) };
    if (known === undefined) return this.failed('The worker has no CALLBOARD_WEBHOOK_URL any more.');
    if (known.secret === undefined) return this.failed('Its secret does not open. Make a new one in Settings.');
    const answer = await postWebhook(target.isOfEnvironment ? this.anywhere : this.near, {
      ...{ id: notice.id, url: known.url, secret: known.secret, at: clock.now() },
      body: item !== undefined ? webhookBody(item, this.base) : toldBody(notice, this.base),
    });
    if (answer.ok) return () => ({ state: 'sent' });
    return answer.isGone ? () => ({ state: 'given up', error: answer.error }) : this.failed(answer.error);
  }

  private secretOf({ id, secret }: DueNotice['target']): string | undefined {
    try {
      return secret === undefined ? undefined : unsealNamed(secret, webhookLabel(id), this.options.keys);
    } catch {
      return undefined;
    }
  }

  private async mailAll(all: readonly Found[]): Promise<(notice: DueNotice) => NoticeEnd> {
    const { mail } = this.options.settings;
    const [first] = all;
    if (first === undefined || mail === undefined) {
      return this.failed('No mail server is set. Set CALLBOARD_SMTP_URL and CALLBOARD_MAIL_FROM.');
    }
    const mailed = all.flatMap(({ notice, item }) => (item === undefined ? [] : [this.mailedItem(notice, item)]));
    const message = this.mailOf(first.notice, mailed);
    try {
      await sendMail(mail, message);
      return () => ({ state: 'sent' });
    } catch (error) {
      return this.failed(`The mail server refused: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private mailOf({ id, target, told }: DueNotice, mailed: readonly MailedItem[]): Mail {
    if (told !== undefined) return toldMail(id, target.address, told, this.base);
    return mailed.length === 0
      ? testMail(id, target.address, this.base)
      : questionMail(id, target.address, mailed, this.base);
  }

  private mailedItem({ target }: DueNotice, item: StoredItem): MailedItem {
    const { settings, clock, keys } = this.options;
    const linkKey = keys[0]?.linkKey;
    if (!target.mayAnswer || settings.publicUrl === undefined || linkKey === undefined) {
      return { item, answerUrl: undefined };
    }
    const longest = clock.now() / 1_000 + linkDays * 86_400;
    const expiresAt = Math.floor(Math.min(longest, (item.limitAt?.getTime() ?? Number.POSITIVE_INFINITY) / 1_000));
    const link = writeAnswerLink({ item: item.id, target: target.id, expiresAt }, linkKey);
    return { item, answerUrl: `${settings.publicUrl}/answer/${link}` };
  }

  private failed(error: string): (notice: DueNotice) => NoticeEnd {
    return ({ attempt }) => {
      const seconds = waitSeconds[attempt - 1];
      if (seconds === undefined) return { state: 'given up', error: `Given up after ${attempt} attempts. ${error}` };
      const jitter = 0.8 + 0.4 * (this.options.random ?? Math.random)();
      return { state: 'again', afterMs: seconds * 1_000 * jitter, error };
    };
  }
}

interface Found {
  readonly notice: DueNotice;
  /** `undefined` for a test, and for a question that is gone with its run. */
  readonly item: StoredItem | undefined;
}

/** Notices of one run that go to one mail address are sent together. */
function groupsOf(all: readonly Found[]): readonly (readonly Found[])[] {
  const groups = new Map<string | RunId, Found[]>();
  for (const found of all) {
    const { notice, item } = found;
    const isMail = notice.target.kind === 'mail' && item !== undefined;
    const key = isMail ? `${notice.target.id} ${item.runId}` : notice.id;
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  return [...groups.values()];
}

function whyNot({ notice, item }: Found): string | undefined {
  // Its workers have died while they sent it.
  if (notice.attempt > mostAttempts) return `Given up after ${mostAttempts} attempts without an end.`;
  if (notice.person?.mayRead === false) return 'Not sent: the person may not open the project any more.';
  if (notice.kind === 'test' || notice.told !== undefined) return undefined;
  if (item === undefined) return 'Not sent: the run was deleted.';
  return item.status === 'open' ? undefined : 'Not sent: the question had ended.';
}
