import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cleanEnvironment, environmentOfChild, sendVariables } from './process-variables';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A process that says what it received, and then waits. */
function startChild(env: NodeJS.ProcessEnv, envFile?: string) {
  const script = `
    import { receiveVariables } from ${JSON.stringify(path.resolve('lib/server/process-variables.ts'))};
    const received = await receiveVariables(${JSON.stringify(envFile)});
    process.send({ received, inherited: { ...process.env } });
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  started.push(child);
  return child;
}

const answerOf = (child: ChildProcess) =>
  new Promise<{ received: Record<string, string>; inherited: Record<string, string> }>((resolve, reject) => {
    child.once('message', (answer) => resolve(answer as never));
    child.once('exit', (code) => reject(new Error(`It ended: ${code}`)));
  });

test('a child has its secrets from the channel, and they are in no environment', async () => {
  const env = environmentOfChild({ ...process.env, OPENAI_API_KEY: 'sk-canary' }, { CALLBOARD_DATA: '/data' });
  const child = startChild(env);
  sendVariables(child, { OPENAI_API_KEY: 'sk-canary', SEARCH_TOKEN: 'hush', UNSET: undefined });
  const { received, inherited } = await answerOf(child);
  expect(received).toMatchObject({ OPENAI_API_KEY: 'sk-canary', SEARCH_TOKEN: 'hush', CALLBOARD_DATA: '/data' });
  expect(received).not.toHaveProperty('UNSET');
  expect(JSON.stringify(inherited)).not.toMatch(/sk-canary|hush/);
  if (existsSync('/proc')) expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).not.toMatch(/sk-canary|hush/);
});

test('a process that was started by hand has its environment, then the file, though a channel is open', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-env-'));
  const file = path.join(folder, '.env');
  writeFileSync(file, 'DATABASE_URL=postgresql://of/file\nOPENAI_API_KEY=of-file\n');
  const child = startChild({ ...process.env, NODE_ENV: 'production', OPENAI_API_KEY: 'of-environment' }, file);
  const { received, inherited } = await answerOf(child);
  expect(received).toMatchObject({ DATABASE_URL: 'postgresql://of/file', OPENAI_API_KEY: 'of-environment' });
  expect(inherited).not.toHaveProperty('DATABASE_URL');
  rmSync(folder, { recursive: true });
});

test('a message of another kind, or of the wrong shape, is not taken for the settings', async () => {
  const child = startChild(environmentOfChild(process.env, {}));
  child.send({ kind: 'ping' });
  child.send({ kind: 'variables', variables: { A: 1 } });
  sendVariables(child, { A: 'right' });
  expect((await answerOf(child)).received.A).toBe('right');
});

test('a child runs in production mode unless the launcher says otherwise', () => {
  expect(environmentOfChild({ NODE_ENV: 'test' }, {}).NODE_ENV).toBe('production');
  expect(environmentOfChild({ NODE_ENV: 'test' }, { NODE_ENV: 'development' }).NODE_ENV).toBe('development');
});

test('a clean environment has what programs need, and nothing that is named or looks like a secret', () => {
  const kept = {
    PATH: '/bin',
    HOME: '/h',
    LC_ALL: 'C',
    https_proxy: 'http://proxy:1',
    CALLBOARD_PYTHON: '1',
    NODE_EXTRA_CA_CERTS: '/ca',
  };
  expect(
    cleanEnvironment({
      ...kept,
      OPENAI_API_KEY: 'x',
      DATABASE_URL: 'x',
      GITHUB_TOKEN: 'x',
      ANYTHING: 'x',
      CALLBOARD_START_TOKEN: 'x',
      HTTP_PROXY: 'http://me:word@proxy:1',
      UNSET: undefined,
    }),
  ).toEqual(kept);
});
