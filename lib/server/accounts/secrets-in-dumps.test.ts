import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { makeBackup } from '@/lib/server/backup/make-backup';
import { addWebhook } from '@/lib/server/notifications';
import { setSecret } from '@/lib/server/secrets';
import { addTrigger } from '@/lib/server/triggers';
import { makeAuthLink } from '@/lib/store/auth-links';
import { tablesOf } from '@/lib/store/backup/write-backup';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { insertProject } from '@/lib/store/projects';
import { openingKey } from '@/lib/store/sealing';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { holdsSecret } from '@/lib/testing/find-secret';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { beginLogin } from './cli-login';
import { codeAt } from './one-time-code';
import { beginOwnFactor, confirmOwnFactor } from './own-account';
import { invite, makeResetLink } from './people';
import { resolveActor } from './resolve-actor';
import { makeShare } from './shares';
import { signInWithPassword } from './sign-in';
import { makeToken } from './tokens';

/* Every secret that people and Callboard have is planted by the same code that the app uses, and looked for in the whole database. */

const { url, store } = await testDatabase();
withAccounts();
const folder = mkdtempSync(path.join(tmpdir(), 'callboard-dump-'));
const canary = 'cnry-3fd81e60b7a2c945';
/** What is looked for, by what it is. */
const planted = new Map<string, string>();

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_SEALING_KEY', openingKey(Buffer.alloc(32, 9)).publicKey);
  vi.stubEnv('CALLBOARD_HOOKS_KEY', writeHookKeys([openingKey(Buffer.alloc(32, 9))]));
  const project = await insertProject(store, 'Dumped', folderOf({ 'a.md': 'a' }));
  const run = await storedRun(store);

  await setSecret(localActor, project, { name: 'SEARCH_TOKEN', value: `${canary}-project`, hosts: [] });
  await setSecret(localActor, null, {
    name: 'TEAM_TOKEN',
    value: `${canary}-installation`,
    hosts: ['api.example.com'],
  });
  await setSecret(localActor, null, { name: 'OPENAI_API_KEY', value: `sk-${canary}-model`, hosts: [] });
  for (const kind of ['project', 'installation']) planted.set(`secret of the ${kind}`, `${canary}-${kind}`);
  planted.set('model key', `sk-${canary}-model`);
  planted.set(
    'webhook secret',
    (await addWebhook(localActor, { url: 'https://hook.example.org/', project, groups: ['questions'] })).secret,
  );

  const hook = { kind: 'webhook', name: 'Hook', target: { label: 'live' }, message: '', stopAfter: 5 } as const;
  planted.set('secret of a trigger', (await addTrigger(localActor, project, hook)).secret ?? 'none');
  planted.set('setup link', await makeAuthLink(store.pool, { kind: 'setup', user: null, madeBy: 'callboard' }));
  const ann = await makePerson(store, 'ann@dump.example', { administrator: true });
  planted.set('password', testPassword);
  const { cookies } = await signInWithPassword(store, browserRequest(), { email: ann.email, password: testPassword });
  const request = browserRequest(cookies);
  const actor = await resolveActor(request);
  if (actor === undefined) throw new Error('Not signed in');
  const cookie = cookies.find((each) => each.includes('session_token='))?.split(';')[0] ?? '';
  planted.set('session cookie', decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1)));
  const invitation = { email: 'bob@dump.example', project: null, administrator: false };
  planted.set('invitation', tokenIn(await invite(actor, invitation as never)));
  planted.set('reset link', tokenIn(await makeResetLink(actor, ann.id)));
  const scopes = ['read' as const];
  planted.set('API token', (await makeToken(actor, { name: 'script', scopes, project: null, days: 1 })).token);
  planted.set('secret of a login', (await beginLogin(request, async () => ({ machine: 'laptop', scopes }))).secret);
  planted.set('share link', (await makeShare(localActor, run, { hours: 1, texts: true })).token);
  const { secret } = await beginOwnFactor(actor, request, testPassword);
  const { codes } = await confirmOwnFactor(actor, request, codeAt(secret, Date.now()));
  planted.set('second factor', secret);
  for (const [index, code] of codes.entries()) planted.set(`backup code ${index + 1}`, code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tokenIn(link: string): string {
  return new URL(link, 'http://127.0.0.1').searchParams.get('token') ?? link;
}

/** Returns every table as `COPY` writes it, which is what pg_dump writes. */
async function dump(): Promise<ReadonlyMap<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const texts = new Map<string, string>();
  for (const { schema, table } of await tablesOf(client)) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${schema}"."${table}" t`);
    texts.set(`${schema}.${table}`, rows.map(({ row }) => row).join('\n'));
  }
  await client.end();
  return texts;
}

test('no table has a secret, a password or a token in plain text', async () => {
  const tables = await dump();
  expect([...tables.values()].join('\n')).toContain('ann@dump.example');
  expect(planted.size).toBeGreaterThan(20);
  const found: string[] = [];
  for (const [table, text] of tables) {
    for (const [what, secret] of planted) {
      expect([what, secret.length > 7]).toEqual([what, true]);
      if (holdsSecret(text, secret)) found.push(`${what} in ${table}`);
    }
  }
  expect(found).toEqual([]);
});

test('a backup has no secret, password or token either, and no session', async () => {
  const file = path.join(folder, 'all.backup');
  await makeBackup(url, file, { now: new Date(), by: localActor });
  const text = gunzipSync(readFileSync(file)).toString('latin1');
  expect(text).toContain('ann@dump.example');
  expect([...planted].filter(([, secret]) => holdsSecret(text, secret)).map(([what]) => what)).toEqual([]);
  const { rows } = await store.pool.query<{ token: string }>('SELECT token FROM auth_session');
  expect(rows.length).toBeGreaterThan(0);
  for (const { token } of rows) expect(text).not.toContain(token);
});
