import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { databaseUrl, sendDatabaseUrl } from './database-url';
import { environmentOfChild, sendVariables } from './process-variables';

const started: ChildProcess[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const moduleOf = (name: string) => JSON.stringify(path.resolve('lib/server', name));

/** A process that begins as bin/web.mjs does, and answers what two requests for the database get. */
function startChild(patienceMs: number): ChildProcess {
  const script = `
    import { receiveVariables } from ${moduleOf('process-variables.ts')};
    import { databaseUrl, expectDatabaseUrl } from ${moduleOf('database-url.ts')};
    import { knownDatabaseUrl } from ${moduleOf('settings/process-env.ts')};
    expectDatabaseUrl();
    const { NAME } = await receiveVariables();
    process.send({ NAME, known: knownDatabaseUrl() ?? null });
    const urls = await Promise.all([databaseUrl(${patienceMs}), databaseUrl(${patienceMs})]);
    process.send({ urls, known: knownDatabaseUrl() ?? null });
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: environmentOfChild(process.env, {}),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  started.push(child);
  return child;
}

const messageOf = (child: ChildProcess) =>
  new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`It ended: ${code}`)));
  });

const url = 'postgresql://callboard@127.0.0.1:1/callboard';

test('requests wait until the launcher says that the database is ready', async () => {
  const child = startChild(60_000);
  sendVariables(child, { NAME: 'web' });
  expect(await messageOf(child)).toEqual({ NAME: 'web', known: null });
  sendDatabaseUrl(child, url);
  expect(await messageOf(child)).toEqual({ urls: [url, url], known: url });
});

test('a web process that is started again gets the settings and the address at once', async () => {
  const child = startChild(60_000);
  sendVariables(child, { NAME: 'web' });
  sendDatabaseUrl(child, url);
  expect(await messageOf(child)).toMatchObject({ NAME: 'web' });
  expect(await messageOf(child)).toEqual({ urls: [url, url], known: url });
});

test('a request gives up when the database is not ready in time', async () => {
  const child = startChild(1);
  sendVariables(child, { NAME: 'web' });
  await messageOf(child);
  // JSON has no undefined.
  expect(await messageOf(child)).toEqual({ urls: [null, null], known: null });
});

test('a process without a launcher takes the address of its environment, and does not wait for another', async () => {
  vi.stubEnv('DATABASE_URL', url);
  expect(await databaseUrl(60_000)).toBe(url);
  vi.stubEnv('DATABASE_URL', '');
  expect(await databaseUrl(60_000)).toBeUndefined();
});
