import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { createMirrorPusher, type MirrorPusherOptions } from '@/lib/jobs/mirror/push-mirrors';
import { openSecret } from '@/lib/jobs/run-secrets';
import { findAudit } from '@/lib/store/audit';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { openingKey, seal } from '@/lib/store/sealing';
import { labelOf, putSecret, type SealedSecret } from '@/lib/store/secrets';
import { type GitClient, gitClient } from '@/lib/testing/git-client';
import { type GitRemote, gitRemote } from '@/lib/testing/git-remote';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { bundleProject } from './git/fetch';
import { forgetMirror, pushMirror, readMirror, setMirror } from './mirror';
import { release, rollBack } from './revisions';

/* Pushes to the real git over HTTP. */

const { url: databaseUrl, store } = await testDatabase();
vi.stubEnv('DATABASE_URL', databaseUrl);
const key = openingKey(Buffer.alloc(32, 9));
const canary = 'canary-token-4711';
const limits = { files: 100, totalBytes: 1_000_000 };
const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
let git: GitClient;
let remote: GitRemote;

beforeEach(async () => {
  git = gitClient();
  remote = await gitRemote(canary);
});
afterEach(async () => {
  git.remove();
  await remote.close();
  await store.pool.query('DELETE FROM "Mirror"');
});
afterAll(() => vi.unstubAllEnvs());

const lead = (text: string) => `---\nname: lead\nmodel: passthrough\n---\n${text}\n`;

async function publish(id: ProjectId, text: string, label = 'live') {
  const { version } = await findProject(store, id, 'main');
  const changes = [{ path: 'agent-cards/lead.md', file: { kind: 'text', text: lead(text) } as const }];
  await saveDraft(store, id, { draft: 'main', baseVersion: version, changes, limits });
  const { revision } = await release(localActor, id, { label, target: { draft: 'main' }, note: text });
  return revision.number;
}

async function keep(project: ProjectId | null, value: string, hosts: readonly string[] = [], name = 'GIT_TOKEN') {
  const sealed = seal(value, labelOf(project, name), key);
  await putSecret(store, { id: randomUUID(), project, name, keyId: key.id, sealed, hosts }, localActor);
}

const settings = () => ({ url: remote.url, user: 'git', secret: 'GIT_TOKEN' });

/** A project with a mirror, of which nothing is published. */
async function mirrored(token = canary): Promise<ProjectId> {
  const files = folderOf({ 'agent-cards/lead.md': lead('zero'), 'fast-agent.yaml': 'default_model: passthrough\n' });
  const id = await insertProject(store, 'Own', files, { origin: 'blank' });
  await keep(id, token);
  await setMirror(localActor, id, settings());
  return id;
}

function pusher(more: Partial<MirrorPusherOptions> = {}) {
  const guard = createAddressGuard(undefined);
  const { signal } = new AbortController();
  const open = (secret: SealedSecret) => openSecret({ keys: [key], log }, secret);
  return createMirrorPusher({ ...{ store, log, open, guard, signal, random: () => 0.5 }, ...more });
}

/** Pushes wait at the remote until the returned function is called. */
function holdPushes(): () => void {
  let go: () => void = () => undefined;
  remote.hold = new Promise((resolve) => {
    go = resolve;
  });
  return () => go();
}

const stateOf = async (id: ProjectId) => await readMirror(localActor, id);
const atRemote = async (ref: string) => await git.ok(['-C', remote.folder, 'rev-parse', ref]);
const refsAtRemote = async () =>
  (await git.ok(['-C', remote.folder, 'for-each-ref', '--format=%(refname)'])).split('\n');
const makeDue = () =>
  store.pool.query(`UPDATE "Mirror" SET "nextAt" = now() - interval '1 second' WHERE "nextAt" IS NOT NULL`);
const audited = async (project: ProjectId) =>
  (await findAudit(store, { project, limit: 50 }, undefined))
    .filter(({ action }) => action.startsWith('mirror.'))
    .map(({ action, body }) => ({ action, ...JSON.parse(body) }))
    .reverse();

/** Clones a project from Callboard, and returns the commit of `main`. */
async function mainOfClone(id: ProjectId): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await bundleProject(localActor, id)).chunks) parts.push(part);
  const name = randomUUID();
  writeFileSync(path.join(git.folder, `${name}.bundle`), Buffer.concat(parts));
  await git.ok(['clone', '-q', '-b', 'main', `${name}.bundle`, name]);
  return await git.ok(['rev-parse', 'HEAD'], { in: name });
}

test('what is published is pushed with the hashes that a clone has, and is sound there', async () => {
  const id = await mirrored();
  expect(await pusher().pushDue()).toBe(1);
  expect(await stateOf(id)).toMatchObject({ state: 'idle', pushed: null });
  await publish(id, 'one');
  expect(await pusher().pushDue()).toBe(1);
  const revision = await publish(id, 'two');
  expect(await pusher().pushDue()).toBe(1);
  expect(await pusher().pushDue()).toBe(0);
  const main = await mainOfClone(id);
  expect(await atRemote('main')).toBe(main);
  expect(await stateOf(id)).toMatchObject({ state: 'pushed', pushed: { commit: main, revision }, error: null });
  expect(await refsAtRemote()).toEqual(['refs/heads/main', 'refs/tags/r1', 'refs/tags/r2']);
  expect((await git.run(['-C', remote.folder, 'fsck', '--strict'])).code).toBe(0);
  const host = new URL(remote.url).host;
  expect(await audited(id)).toMatchObject([
    { action: 'mirror.set', url: remote.url, secret: 'GIT_TOKEN' },
    { action: 'mirror.pushed', host, revision: 1 },
    { action: 'mirror.pushed', host, revision: 2, commit: main },
  ]);
});

test('a roll back goes to the mirror as a step forward, and a label as a branch, but no draft', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  await publish(id, 'two');
  await publish(id, 'three', 'staging');
  await pusher().pushDue();
  const before = await atRemote('main');
  await rollBack(localActor, id, { label: 'live', note: '' });
  await release(localActor, id, { label: 'staging', target: { revision: 1 }, note: 'Back' });
  await pusher().pushDue();
  expect(await atRemote('main')).toBe(await mainOfClone(id));
  expect(await atRemote('main^')).toBe(before);
  expect(await atRemote('label/staging')).toBe(await atRemote('r1'));
  expect((await refsAtRemote()).filter((ref) => ref.includes('draft'))).toEqual([]);
  expect(await stateOf(id)).toMatchObject({ state: 'pushed', pushed: { revision: 1 } });
});

test('commits at the remote that are not from here are never lost, and the mirror says what to do', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  await pusher().pushDue();
  await git.ok(['clone', '-q', remote.folder, 'theirs']);
  await git.ok(['commit', '-q', '--allow-empty', '-m', 'Theirs'], { in: 'theirs' });
  await git.ok(['push', '-q', 'origin', 'main'], { in: 'theirs' });
  const theirs = await atRemote('main');
  await publish(id, 'two');
  await pusher().pushDue();
  expect(await atRemote('main')).toBe(theirs);
  expect(await stateOf(id)).toMatchObject({
    state: 'diverged',
    error: { words: expect.stringContaining(`not from here: main (${theirs.slice(0, 7)}). Nothing was pushed`) },
    pushed: { revision: 1 },
  });
  expect((await audited(id)).at(-1)).toMatchObject({ action: 'mirror.failed' });
  expect(await pusher().pushDue()).toBe(0);
  // Somebody sets the remote back, and asks for a push.
  await git.ok(['-C', remote.folder, 'update-ref', 'refs/heads/main', `${theirs}^`]);
  await pushMirror(localActor, id);
  expect(await stateOf(id)).toMatchObject({ state: 'waiting' });
  await pusher().pushDue();
  expect(await atRemote('main')).toBe(await mainOfClone(id));
  expect(await stateOf(id)).toMatchObject({ state: 'pushed', error: null });
});

test('a tag of somebody else with the name of a revision stays where it is', async () => {
  const id = await mirrored();
  const tree = await git.ok(['-C', remote.folder, 'mktree']);
  const made = await git.ok([
    ...['-c', 'user.name=x', '-c', 'user.email=x@x.org'],
    ...['-C', remote.folder, 'commit-tree', tree, '-m', 'Own'],
  ]);
  await git.ok(['-C', remote.folder, 'tag', 'r1', made]);
  await publish(id, 'one');
  await pusher().pushDue();
  expect(await refsAtRemote()).toEqual(['refs/tags/r1']);
  expect(await stateOf(id)).toMatchObject({ state: 'diverged', error: { words: expect.stringContaining('r1 (') } });
});

test('a wrong token is reported in words, and tried again only when somebody asks', async () => {
  const id = await mirrored('wrong-token-0815');
  await publish(id, 'one');
  await pusher().pushDue();
  expect(await stateOf(id)).toMatchObject({
    state: 'failed',
    nextAt: null,
    error: { words: 'The remote did not take the user name and the token. Set the secret anew.' },
  });
  expect(await pusher().pushDue()).toBe(0);
  await keep(id, canary);
  await pushMirror(localActor, id);
  await pusher().pushDue();
  expect(await stateOf(id)).toMatchObject({ state: 'pushed' });
});

test('a remote that is away is tried again later, and at last given up until the next publication', async () => {
  const id = await mirrored();
  remote.answer = (_request, response) => void response.writeHead(503).end();
  await publish(id, 'one');
  await pusher().pushDue();
  const failed = await stateOf(id);
  expect(failed).toMatchObject({ state: 'retrying', error: { words: 'The remote answered 503.' } });
  expect((failed?.nextAt ?? 0) - (failed?.error?.at ?? 0)).toBe(5_000);
  expect(await pusher().pushDue()).toBe(0);
  for (let attempt = 2; attempt <= 8; attempt += 1) {
    await makeDue();
    expect(await pusher().pushDue()).toBe(1);
  }
  expect(await stateOf(id)).toMatchObject({
    state: 'failed',
    error: { words: 'Given up after 8 attempts. The remote answered 503.' },
  });
  // Of eight attempts the log has the first and the last.
  expect((await audited(id)).filter(({ action }) => action === 'mirror.failed')).toHaveLength(2);
  remote.answer = undefined;
  await publish(id, 'two');
  expect(await pusher().pushDue()).toBe(1);
  expect(await stateOf(id)).toMatchObject({ state: 'pushed', pushed: { revision: 2 } });
});

test('several workers push once, and what is published meanwhile is pushed after it', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  const go = holdPushes();
  const first = pusher().pushDue();
  await vi.waitFor(() => expect(remote.requests.filter((each) => each.startsWith('POST'))).toHaveLength(1));
  await publish(id, 'two');
  expect(await Promise.all([pusher().pushDue(), pusher().pushDue()])).toEqual([0, 0]);
  go();
  remote.hold = undefined;
  expect(await first).toBe(1);
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', pushed: { revision: 1 } });
  expect((await Promise.all([pusher().pushDue(), pusher().pushDue()])).sort()).toEqual([0, 1]);
  expect(await stateOf(id)).toMatchObject({ state: 'pushed', pushed: { revision: 2 } });
  expect(remote.requests.filter((each) => each.startsWith('POST'))).toHaveLength(2);
});

test('a worker that stops leaves the push to the next one, and so does one that dies, after its lease', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  const stop = new AbortController();
  remote.hold = new Promise(() => undefined);
  const stopped = pusher({ signal: stop.signal }).pushDue();
  await vi.waitFor(() => expect(remote.requests.filter((each) => each.startsWith('POST'))).toHaveLength(1));
  stop.abort();
  await stopped;
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', error: null });
  // One that dies has claimed it and says nothing more.
  const lease = `UPDATE "Mirror" SET claim = 'dead', "claimedUntil" = now() + $1::interval, "nextAt" = NULL`;
  await store.pool.query(lease, ['1 minute']);
  expect(await pusher().pushDue()).toBe(0);
  await store.pool.query(lease, ['-1 second']);
  remote.hold = undefined;
  expect(await pusher().pushDue()).toBe(1);
  expect(await stateOf(id)).toMatchObject({ state: 'pushed' });
});

test('after new settings during a push, the mirror waits for another push', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  const go = holdPushes();
  const first = pusher().pushDue();
  await vi.waitFor(() => expect(remote.requests.filter((each) => each.startsWith('POST'))).toHaveLength(1));
  await setMirror(localActor, id, { ...settings(), user: 'other' });
  go();
  await first;
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', pushed: null, user: 'other' });
  await pusher().pushDue();
  expect(await stateOf(id)).toMatchObject({ state: 'pushed' });
});

test('the token is in no log, no error, no audit entry and no column but its own, even if the remote says it', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  const basic = Buffer.from(`git:${canary}`).toString('base64');
  remote.answer = (request, response) => {
    const pkt = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
    const said = `${canary} ${basic}`;
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-advertisement' });
      const able = `${'0'.repeat(40)} capabilities^{}\0report-status`;
      response.end(`${pkt('# service=git-receive-pack\n')}0000${pkt(able)}0000`);
      return;
    }
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-result' });
      response.end(`${pkt('unpack ok\n')}${pkt(`ng refs/heads/main not for ${said}\n`)}0000`);
    });
  };
  await pusher().pushDue();
  expect(await stateOf(id)).toMatchObject({
    state: 'failed',
    error: { words: 'The remote refused main: not for *** ***. See its rules for branches, then push now.' },
  });
  remote.answer = (request) => void request.socket.destroy();
  await pushMirror(localActor, id);
  await pusher().pushDue();
  expect(await stateOf(id)).toMatchObject({ state: 'retrying' });
  const { rows: tables } = await store.pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await store.pool.query<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${name} t`);
    if (rows.some(({ text }) => [canary, basic].some((form) => text.includes(form)))) found.push(name);
  }
  expect(found).toEqual([]);
  expect(logged.join('')).not.toContain(canary);
});

test('a secret goes to its own hosts only, and one of the installation only where it names the host', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  const { host } = new URL(remote.url);
  const words = async () => {
    await pushMirror(localActor, id);
    await pusher().pushDue();
    return (await stateOf(id))?.error?.words;
  };
  await keep(id, canary, ['git.example.org']);
  expect(await words()).toBe(`The secret GIT_TOKEN is only for git.example.org. Add ${host} to it.`);
  await store.pool.query('DELETE FROM "Secret" WHERE "projectId" = $1', [id]);
  expect(await words()).toBe('There is no secret GIT_TOKEN. Set it in Settings, Secrets.');
  await keep(null, canary);
  expect(await words()).toContain('The secret GIT_TOKEN is one of the installation.');
  expect(remote.requests).toEqual([]);
  await keep(null, canary, [host]);
  expect(await words()).toBeUndefined();
  await store.pool.query('DELETE FROM "Secret" WHERE "projectId" IS NULL');
});

test('a mirror in a private network is not called, and a redirect is not followed', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  await setMirror(localActor, id, { ...settings(), url: 'https://10.1.2.3/mirror.git' });
  await pusher().pushDue();
  expect(await stateOf(id)).toMatchObject({ error: { words: expect.stringContaining('is a private address') } });
  await setMirror(localActor, id, settings());
  remote.answer = (_request, response) => void response.writeHead(302, { location: '/other' }).end();
  await pusher().pushDue();
  expect(await stateOf(id)).toMatchObject({ state: 'failed', error: { words: expect.stringContaining('a redirect') } });
  expect(remote.requests).toHaveLength(1);
});

test.each([
  ['ssh://git@git.example.org/a.git', 'over HTTPS'],
  ['http://git.example.org/a.git', 'must begin with https://'],
  ['https://git:token@git.example.org/a.git', 'must have no user or token in it'],
  ['https://git.example.org/a.git?x=1', 'must have no ? and no #'],
])('a mirror at %s is refused with what to do', async (url, sentence) => {
  const id = await mirrored();
  await expect(setMirror(localActor, id, { ...settings(), url })).rejects.toThrow(sentence);
});

test('a mirror needs a secret that is there and is no key of a model', async () => {
  const id = await mirrored();
  await expect(setMirror(localActor, id, { ...settings(), secret: 'NONE' })).rejects.toThrow("no secret 'NONE'");
  const provider = setMirror(localActor, id, { ...settings(), secret: 'OPENAI_API_KEY' });
  await expect(provider).rejects.toThrow('is the key of a model provider');
  await expect(setMirror(localActor, id, { ...settings(), user: 'a:b' })).rejects.toThrow('no colon');
});

test('a removed mirror gets nothing more, and what was pushed stays there', async () => {
  const id = await mirrored();
  await publish(id, 'one');
  await pusher().pushDue();
  const main = await atRemote('main');
  await forgetMirror(localActor, id);
  await publish(id, 'two');
  expect(await pusher().pushDue()).toBe(0);
  expect(await atRemote('main')).toBe(main);
  expect(await stateOf(id)).toBeNull();
  await expect(forgetMirror(localActor, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(pushMirror(localActor, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('people ask for ten pushes of a project in ten minutes, and other projects go on', async () => {
  const [id, other] = [await mirrored(), await mirrored()];
  for (let asked = 0; asked < 10; asked += 1) await pushMirror(localActor, id);
  await expect(pushMirror(localActor, id)).rejects.toMatchObject({
    code: 'too_many',
    message: expect.stringContaining('Too many pushes to the mirror were asked for.'),
  });
  await pushMirror(localActor, other);
});
