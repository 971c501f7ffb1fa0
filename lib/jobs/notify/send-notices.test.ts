import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { PendingId, RunId } from '@/lib/base/ids';
import { insertAlert } from '@/lib/store/alerts';
import { listTargets, webhookLabel } from '@/lib/store/notify-targets';
import { insertTest } from '@/lib/store/outbox';
import { openingKey, sealNamed } from '@/lib/store/sealing';
import { testDatabase } from '@/lib/testing/postgres';
import { startSmtpListener } from '@/lib/testing/smtp-listener';
import { storedItem, storedItems } from '@/lib/testing/stored-item';
import { storedRun } from '@/lib/testing/stored-run';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { ownPort } from '@/lib/tools/mcp/own-addresses';
import { systemClock } from '../system-clock';
import { readAnswerLink } from './answer-link';
import { checkAlerts } from './check-alerts';
import { type NotifySettings, noNotices } from './notify-settings';
import { createNoticeSender, type NoticeSenderOptions } from './send-notices';

const { store } = await testDatabase();
const key = openingKey(Buffer.alloc(32, 9));
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const secretArguments = { to: 'ana', password: 'hunter-2', text: 'private words' };

interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}
let received: Received[] = [];
let status = 200;
const receiver = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push({ headers: request.headers, text: Buffer.concat(parts).toString() });
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {});
    response.end('x'.repeat(100_000));
  });
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { port } = receiver.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/hook?key=address-secret`;
const smtp = await startSmtpListener();

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await smtp.close();
});
afterEach(async () => {
  received = [];
  status = 200;
  smtp.refusal = undefined;
  await store.pool.query(`DELETE FROM "Outbox"; DELETE FROM "NotifyTarget"`);
});

const mail = {
  ...{ host: '127.0.0.1', port: smtp.port, secure: false, user: 'bot', password: 'mail-password' },
  ...{ from: 'callboard@example.org', to: ['ana@example.org'], mayAnswer: true },
};

function senderOf(settings: Partial<NotifySettings> = {}, more: Partial<NoticeSenderOptions> = {}) {
  return createNoticeSender({
    ...{ store, clock: systemClock, port: 3000, keys: [key], guard: createAddressGuard(undefined), random: () => 0.5 },
    settings: { ...noNotices, ...settings },
    ...more,
  });
}

/** Stores what the event writer stores with a question. */
async function notice(target: string, item: PendingId): Promise<void> {
  await store.prisma.outbox.create({
    data: {
      id: `msg_${randomUUID()}`,
      kind: 'item.asked',
      target,
      body: JSON.stringify({ item }),
      nextAt: new Date(0),
    },
  });
}

async function hook(address: string = url): Promise<string> {
  const id = randomUUID();
  const sealed = sealNamed(secret, webhookLabel(id), key);
  await store.prisma.notifyTarget.create({ data: { id, kind: 'webhook', address, secret: sealed } });
  return id;
}

async function mailTarget(): Promise<string> {
  await senderOf({ mail }).announce();
  const [target] = await listTargets(store, 'all');
  if (target === undefined) throw new Error('There is no target');
  return target.id;
}

const rows = () => store.prisma.outbox.findMany({ orderBy: { createdAt: 'asc' } });
const makeDue = () =>
  store.pool.query(`UPDATE "Outbox" SET "nextAt" = now() - interval '1 second' WHERE "nextAt" IS NOT NULL`);
const ask = (runId: RunId) => storedItem(store, runId, { arguments: secretArguments });

test('a webhook is signed over its raw body, and names who asks for what, without arguments', async () => {
  const runId = await storedRun(store);
  const item = await ask(runId);
  await notice(await hook(), item);
  expect(await senderOf({ publicUrl: 'https://callboard.example.org' }).sendDue()).toBe(1);
  const [{ headers, text } = { headers: {}, text: '' }] = received;
  const signing = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', signing).update(signed).digest('base64')}`);
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
  expect(JSON.parse(text)).toMatchObject({
    event: 'item.asked',
    item: {
      ...{
        id: item,
        kind: 'approval',
        run: runId,
        projectName: 'Test',
        path: 'lead',
        agent: 'lead',
        tool: 'mail__send',
      },
      sentence: 'lead wants to call mail__send',
      url: `https://callboard.example.org/inbox?item=${item}`,
    },
  });
  for (const value of ['hunter-2', 'private words', 'ana', secret]) expect(text).not.toContain(value);
  expect(await rows()).toMatchObject([{ attempts: 1, nextAt: null, sentAt: expect.any(Date), error: null }]);
});

test('an alert that is raised goes to a webhook of every project that is told of alerts', async () => {
  const target = await hook();
  await store.prisma.notifyTarget.update({ where: { id: target }, data: { groups: ['alerts'] } });
  const rule = { figure: 'errorRate', kind: 'run', name: '', threshold: 0, hours: 24, least: 1 } as const;
  await insertAlert(store, { ...rule, id: 'a1', project: undefined, by: 'local' });
  const id = await storedRun(store);
  await store.pool.query(
    `UPDATE "Run" SET status = 'failed', "startedAt" = now(), "finishedAt" = now(), parts = '[]' WHERE id = $1`,
    [id],
  );
  while ((await checkAlerts(store, Date.now())) > 0);
  expect(await senderOf({ publicUrl: 'https://callboard.example.org' }).sendDue()).toBe(1);
  expect(received.map(({ text }) => JSON.parse(text))).toEqual([
    {
      event: 'alert.raised',
      notice: {
        words: expect.stringMatching(/^Alert: Error rate, runs of all projects: [\d.]+ %, above the line of 0 % \(/),
        url: 'https://callboard.example.org/runs/dashboard?range=24h&by=agent#alerts',
      },
    },
  ]);
});

test('many workers send each notice once, and after a crash between send and mark it comes again with its id', async () => {
  const target = await hook();
  const runId = await storedRun(store);
  for (const item of await storedItems(store, runId, 50)) await notice(target, item);
  const senders = Array.from({ length: 4 }, () => senderOf());
  const drain = async (sender: ReturnType<typeof senderOf>) => {
    while ((await sender.sendDue()) > 0);
  };
  await Promise.all(senders.map(drain));
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(50);
  expect(new Set(ids).size).toBe(50);
  // The worker died before it could note that the notice was sent.
  const last = received.at(-1);
  await store.pool.query(`UPDATE "Outbox" SET "sentAt" = NULL, "nextAt" = now() - interval '1 second' WHERE id = $1`, [
    last?.headers['webhook-id'],
  ]);
  received = [];
  await senderOf().sendDue();
  expect(received).toMatchObject([{ headers: { 'webhook-id': last?.headers['webhook-id'] }, text: last?.text }]);
});

test('a receiver that fails is tried again after growing times, then given up with the reason', async () => {
  await notice(await hook(), await ask(await storedRun(store)));
  status = 503;
  const waits: number[] = [];
  for (let attempt = 1; attempt < 8; attempt += 1) {
    const before = Date.now();
    await senderOf().sendDue();
    const [row] = await rows();
    expect(row).toMatchObject({ attempts: attempt, sentAt: null, error: 'The receiver answered 503.' });
    waits.push(Math.round(((row?.nextAt?.getTime() ?? 0) - before) / 1_000));
    expect(await senderOf().sendDue()).toBe(0);
    await makeDue();
  }
  const wanted = [5, 60, 300, 1_800, 7_200, 18_000, 36_000];
  waits.forEach((wait, index) => {
    expect(Math.abs(wait - (wanted[index] ?? 0))).toBeLessThan(5);
  });
  await senderOf().sendDue();
  expect(await rows()).toMatchObject([
    { attempts: 8, nextAt: null, sentAt: null, error: 'Given up after 8 attempts. The receiver answered 503.' },
  ]);
  expect(received).toHaveLength(8);
});

test('a redirect is not followed, 410 ends the attempts, and a closed question is not sent', async () => {
  const target = await hook();
  const runId = await storedRun(store);
  await notice(target, await ask(runId));
  status = 302;
  await senderOf().sendDue();
  expect(received).toHaveLength(1);
  expect((await rows())[0]?.error).toBe('The receiver answered 302, a redirect, which is not followed.');
  await makeDue();
  status = 410;
  await senderOf().sendDue();
  expect(await rows()).toMatchObject([{ nextAt: null, error: 'The receiver answered 410.' }]);
  const item = await ask(runId);
  await store.prisma.pendingItem.update({ where: { id: item }, data: { status: 'withdrawn' } });
  await store.pool.query(`DELETE FROM "Outbox"`);
  await notice(target, item);
  received = [];
  await senderOf().sendDue();
  expect(received).toEqual([]);
  expect(await rows()).toMatchObject([{ nextAt: null, sentAt: null, error: 'Not sent: the question had ended.' }]);
});

test.each([
  ['a private address', 'http://10.1.2.3/hook', 'private address'],
  ['cloud metadata', 'http://169.254.169.254/latest', 'metadata'],
  ['Callboard itself', 'http://127.0.0.1:3000/api/v1/runs', 'Callboard itself'],
])('a webhook of the settings page may not lead to %s', async (_what, address, reason) => {
  await notice(await hook(address), await ask(await storedRun(store)));
  const guard = createAddressGuard(undefined, { own: [ownPort('Callboard itself', 3000)] });
  await senderOf({}, { guard }).sendDue();
  expect((await rows())[0]?.error).toContain(reason);
  expect(received).toEqual([]);
});

test('a webhook of the environment has its address and secret from there alone', async () => {
  const sender = senderOf({ webhook: { url, secret } });
  await sender.announce();
  const [target] = await store.prisma.notifyTarget.findMany();
  expect(target).toMatchObject({ id: 'environment-webhook', address: '', secret: null });
  await insertTest(store, 'environment-webhook');
  await sender.sendDue();
  expect(received.map(({ text }) => JSON.parse(text))).toEqual([{ event: 'test' }]);
  expect(JSON.stringify(await rows())).not.toContain('address-secret');
});

test('mail says who asks, without arguments, and its answer link belongs to question, addressee and time', async () => {
  const target = await mailTarget();
  const runId = await storedRun(store);
  const item = await ask(runId);
  await notice(target, item);
  await senderOf({ mail, publicUrl: 'https://callboard.example.org' }).sendDue();
  expect(smtp.signIns.at(-1)).toBe('bot mail-password');
  const { from, to, source = '' } = smtp.mails.at(-1) ?? {};
  expect([from, to]).toEqual(['callboard@example.org', ['ana@example.org']]);
  const plain = source.replace(/=\r\n/g, '').replaceAll('=3D', '=');
  expect(plain).toContain('Subject: lead wants to call mail__send (Test)');
  expect(plain).toContain('Auto-Submitted: auto-generated');
  expect(plain).toContain(`https://callboard.example.org/inbox?item=${item}`);
  for (const value of ['hunter-2', 'private words', 'mail-password']) expect(plain).not.toContain(value);
  const text = /https:\/\/callboard\.example\.org\/answer\/([\w.-]+)/.exec(plain)?.[1] ?? '';
  const link = readAnswerLink(text, key.linkKey);
  expect(link).toMatchObject({ item, target });
  expect((link?.expiresAt ?? 0) - Date.now() / 1_000).toBeGreaterThan(6.9 * 86_400);
  for (const forged of [
    `x${text}`,
    text.replace(item, `${item}0`),
    text.slice(0, -2),
    text.replace(/\.\d+\./, '.9999999999.'),
  ]) {
    expect(readAnswerLink(forged, key.linkKey)).toBeUndefined();
  }
});

test('questions of a run that come together are one mail, without answer links where no public address is set', async () => {
  const target = await mailTarget();
  const [first, second] = [await storedRun(store), await storedRun(store)];
  for (const item of await storedItems(store, first, 15)) await notice(target, item);
  await notice(target, await ask(second));
  const before = smtp.mails.length;
  await senderOf({ mail }).sendDue();
  const sources = smtp.mails.slice(before).map(({ source }) => source);
  expect(sources).toHaveLength(2);
  expect(sources.filter((source) => source.includes('15 questions (Test)'))).toHaveLength(1);
  expect(sources.join('')).not.toContain('/answer/');
  expect((await rows()).every(({ sentAt }) => sentAt !== null)).toBe(true);
});

test('a mail server that refuses is tried again, and its reason is kept without the password', async () => {
  await insertTest(store, await mailTarget());
  smtp.refusal = '451 Try later';
  await senderOf({ mail }).sendDue();
  const [row] = await rows();
  expect(row).toMatchObject({ attempts: 1, sentAt: null, error: expect.stringContaining('451 Try later') });
  smtp.refusal = undefined;
  await makeDue();
  const before = smtp.mails.length;
  await senderOf({ mail }).sendDue();
  expect(smtp.mails.slice(before).map(({ source }) => source.includes('This is a test.'))).toEqual([true]);
  await insertTest(store, row?.target ?? '');
  await senderOf().sendDue();
  expect((await rows()).at(-1)?.error).toContain('Set CALLBOARD_SMTP_URL');
});
