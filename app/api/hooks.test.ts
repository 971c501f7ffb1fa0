import { createHmac, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { POST as deliver } from '@/app/api/v1/hooks/[hook]/route';
import { GET as listRuns } from '@/app/api/v1/runs/route';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { release } from '@/lib/server/revisions';
import { addTrigger, editTrigger, readTriggers, removeTrigger, renewTriggerSecret } from '@/lib/server/triggers';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { insertProject } from '@/lib/store/projects';
import { findRun } from '@/lib/store/runs';
import { openingKey } from '@/lib/store/sealing';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';

const { url, store } = await testDatabase();
let server: http.Server;
let base: string;
/** Each test comes from an address of its own, because wrong tries of an address count together. */
let client: string;
beforeEach(() => {
  client = `192.0.2.${Math.floor(Math.random() * 1e9)}`;
});

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_OPEN', '1');
  vi.stubEnv('CALLBOARD_HOOKS_KEY', writeHookKeys([openingKey(Buffer.alloc(32, 3))]));
  server = http.createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('PORT', String(port));
  base = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
});

/** The route behind a real HTTP server. */
async function serve(from: http.IncomingMessage, to: http.ServerResponse): Promise<void> {
  const [, hook = ''] = /^\/api\/v1\/hooks\/([^/]+)/.exec(from.url ?? '') ?? [];
  const headers = Object.entries(from.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const sent = new Headers(headers);
  sent.set('x-callboard-client', client);
  const init = { method: 'POST', headers: sent, body: Readable.toWeb(from), duplex: 'half' };
  const request = new Request(`${base}${from.url}`, init as RequestInit);
  const response = await deliver(request, { params: Promise.resolve({ hook }) });
  to.writeHead(response.status, Object.fromEntries(response.headers));
  to.end(Buffer.from(await response.arrayBuffer()));
}

const publish = (id: ProjectId) =>
  release(localActor, id, { label: 'live', target: { draft: 'main' }, note: '', override: undefined });

async function hook({ isLive = true, message = 'New: {{body.issue.title}}', stopAfter = 5 } = {}) {
  const folder = folderOf({ 'lead.md': '---\nname: lead\nmodel: passthrough\n---\nLead.\n' });
  const project = await insertProject(store, 'Shop', folder, { origin: 'api' });
  if (isLive) await publish(project);
  const settings = { kind: 'webhook', name: 'Issues', target: { label: 'live' }, message, stopAfter } as const;
  const { id, secret = '', hook: address = '' } = await addTrigger(localActor, project, settings);
  return { project, id, secret, address };
}

interface Message {
  readonly id?: string;
  readonly text?: string;
  readonly at?: number;
  readonly signature?: string;
}

const issue = JSON.stringify({ issue: { title: 'Save fails' } });

/** Signs as the libraries of Standard Webhooks do. */
function signed(secret: string, { id = `msg_${randomUUID()}`, text = issue, at = Date.now(), signature }: Message) {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature ?? `v1,${hmac}`,
  };
}

const answer = z.object({
  run: z.string().optional(),
  duplicate: z.boolean().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

async function send(address: string, headers: Record<string, string>, body = issue) {
  const response = await fetch(`${base}${address}`, { method: 'POST', headers, body });
  return {
    status: response.status,
    location: response.headers.get('location'),
    ...answer.parse(await response.json()),
  };
}

const countRuns = (trigger: string) => store.prisma.run.count({ where: { triggerId: trigger } });

test('a signed webhook starts what is live, with a message made of its body, and the run is in the list of its trigger', async () => {
  const { project, id, secret, address } = await hook();
  const { status, run = '', location, duplicate } = await send(address, signed(secret, {}));
  expect([status, location, duplicate]).toEqual([202, `/api/v1/runs/${run}`, false]);
  expect(await findRun(store, brandAs<RunId>(run))).toMatchObject({
    ...{ message: 'New: Save fails', revision: 1, label: 'live', startedBy: 'trigger:issues' },
    trigger: { id, name: 'Issues' },
  });
  for (const value of [id, 'Issues']) {
    const query = new URLSearchParams({ project, trigger: value });
    const request = new Request(`${base}/api/v1/runs?${query}`, { headers: { host: new URL(base).host } });
    const listed = await listRuns(request, { params: Promise.resolve({}) });
    expect(await listed.json()).toMatchObject({ groups: [{ runs: [{ id: run, trigger: { id, name: 'Issues' } }] }] });
  }
  const [trigger] = await readTriggers(localActor, project);
  expect(trigger).toMatchObject({
    kind: 'webhook',
    hook: address,
    next: [],
    firings: [{ cause: 'message', run: { id: run } }],
  });
  expect(JSON.stringify(trigger)).not.toContain('whsec_');
});

test('a message that comes again, also many times at once, starts one run', async () => {
  const { id, secret, address } = await hook();
  const headers = signed(secret, { id: 'msg_1' });
  const all = await Promise.all(Array.from({ length: 12 }, () => send(address, headers)));
  expect(new Set(all.map(({ status, run }) => `${status} ${run}`)).size).toBe(1);
  expect(all.filter(({ duplicate }) => duplicate === false)).toHaveLength(1);
  // A later attempt has a time of its own.
  const later = await send(address, signed(secret, { id: 'msg_1', at: Date.now() + 30_000 }));
  expect(later).toMatchObject({ status: 202, run: all[0]?.run, duplicate: true });
  expect(await countRuns(id)).toBe(1);
  await send(address, signed(secret, { id: 'msg_2' }));
  expect(await countRuns(id)).toBe(2);
});

test('a wrong, old or foreign signature and a changed body start nothing', async () => {
  const { id, secret, address } = await hook();
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const minute = 60_000;
  const tries: readonly [Record<string, string>, string, string][] = [
    [signed(other, {}), issue, 'signature does not fit'],
    [signed(secret, {}), issue.replace('fails', 'works'), 'signature does not fit'],
    [{ ...signed(secret, {}), 'webhook-id': 'msg_other' }, issue, 'signature does not fit'],
    [signed(secret, { signature: 'v1,' }), issue, 'signature does not fit'],
    [signed(secret, { signature: `v1a,${'A'.repeat(43)}=` }), issue, 'signature does not fit'],
    [signed(secret, { at: Date.now() - 6 * minute }), issue, '5 minutes from the time here'],
    [signed(secret, { at: Date.now() + 6 * minute }), issue, '5 minutes from the time here'],
  ];
  for (const [headers, body, words] of tries) {
    expect(await send(address, headers, body)).toMatchObject({
      status: 401,
      error: { code: 'not_signed_in', message: expect.stringContaining(words) },
    });
  }
  // A recorded message cannot be sent again later under its own time.
  const stolen = signed(secret, { at: Date.now() - 5.5 * minute });
  expect((await send(address, { ...stolen, 'webhook-timestamp': `${Math.floor(Date.now() / 1_000)}` })).status).toBe(
    401,
  );
  expect(await countRuns(id)).toBe(0);
});

test('one of several signatures is enough, and a new secret ends the old one', async () => {
  const { project, id, secret, address } = await hook();
  const fits = signed(secret, {});
  const several = `v1,${'A'.repeat(43)}= ${fits['webhook-signature']}`;
  expect((await send(address, { ...fits, 'webhook-signature': several })).status).toBe(202);
  const renewed = await renewTriggerSecret(localActor, project, id);
  expect((await send(address, signed(secret, {}))).status).toBe(401);
  expect((await send(address, signed(renewed.secret, {}))).status).toBe(202);
});

test('a missing header, a large body, no JSON and an unknown webhook are refused with a reason', async () => {
  const { project, id, secret, address } = await hook();
  const { 'webhook-id': _, ...nameless } = signed(secret, {});
  expect(await send(address, nameless)).toMatchObject({
    status: 400,
    error: { message: expect.stringContaining('webhook-id') },
  });
  const text = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
  const headers = { ...signed(secret, { text }), host: new URL(base).host };
  const large = new Request(`${base}${address}`, { method: 'POST', headers, body: text });
  expect((await deliver(large, { params: Promise.resolve({ hook: id }) })).status).toBe(413);
  const plain = 'no JSON';
  expect(await send(address, signed(secret, { text: plain }), plain)).toMatchObject({
    status: 400,
    error: { message: expect.stringContaining('not JSON') },
  });
  expect(await send(`/api/v1/hooks/${randomUUID()}`, signed(secret, {}))).toMatchObject({ status: 404 });
  await editTrigger(localActor, project, id, { enabled: false });
  expect(await send(address, signed(secret, {}))).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('switched off') },
  });
  await removeTrigger(localActor, project, id);
  expect((await send(address, signed(secret, {}))).status).toBe(404);
  expect(await countRuns(id)).toBe(0);
});

test('a refused message may come again, counts once, and starts its run when the reason is gone', async () => {
  const { project, id, secret, address } = await hook({ isLive: false, stopAfter: 3 });
  for (let attempt = 0; attempt < 4; attempt += 1) {
    expect(await send(address, signed(secret, { id: 'msg_1' }))).toMatchObject({
      status: 409,
      error: { code: 'conflict', message: expect.stringContaining('Nothing of this project is published') },
    });
  }
  expect(await readTriggers(localActor, project)).toMatchObject([
    { enabled: true, failures: 1, firings: [{ cause: 'message', error: { code: 'conflict' } }] },
  ]);
  await publish(project);
  expect(await send(address, signed(secret, { id: 'msg_1' }))).toMatchObject({ status: 202, duplicate: false });
  expect(await countRuns(id)).toBe(1);
});

test('messages that fail in a row switch the webhook off', async () => {
  const { project, secret, address } = await hook({ isLive: false, stopAfter: 2 });
  await send(address, signed(secret, {}));
  await send(address, signed(secret, {}));
  expect(await readTriggers(localActor, project)).toMatchObject([
    { enabled: false, failures: 2, stoppedBecause: expect.stringContaining('published') },
  ]);
  expect(await send(address, signed(secret, {}))).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('switched off') },
  });
});

test('wrong signatures of an address are limited, and use up nothing of the webhook', async () => {
  const { secret, address } = await hook();
  const wrong = () => send(address, signed(secret, { signature: `v1,${'A'.repeat(43)}=` }));
  for (let count = 0; count < 30; count += 1) expect((await wrong()).status).toBe(401);
  expect(await wrong()).toMatchObject({ status: 429, error: { code: 'too_many' } });
  client = '192.0.2.200';
  expect((await send(address, signed(secret, {}))).status).toBe(202);
});

test('wrong signatures of one IPv6 network are limited together, and those of another are not', async () => {
  const { secret, address } = await hook();
  const wrong = () => send(address, signed(secret, { signature: `v1,${'A'.repeat(43)}=` }));
  for (let count = 1; count <= 30; count += 1) {
    client = `2001:db8:0:7::${count.toString(16)}`;
    expect((await wrong()).status).toBe(401);
  }
  client = '2001:db8:0:7:ffff::1';
  expect((await wrong()).status).toBe(429);
  client = '2001:db8:0:8::1';
  expect((await wrong()).status).toBe(401);
});

test('messages of a webhook are limited by trigger, not by address', async () => {
  const { secret, address } = await hook();
  const other = await hook();
  const headers = signed(secret, { id: 'msg_1' });
  for (let count = 0; count < 120; count += 1) {
    client = `198.51.100.${count}`;
    expect((await send(address, headers)).status).toBe(202);
  }
  expect(await send(address, headers)).toMatchObject({ status: 429, error: { code: 'too_many' } });
  expect((await send(other.address, signed(other.secret, {}))).status).toBe(202);
});
