import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { callCallboard } from '@/lib/testing/callboard';
import { checkDataFolder, checkDisk, checkIsolation, checkNode } from './check-machine';

/** Below the ports that the system gives to servers of other tests. */
const freePort = '21987';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const finding = z.object({ name: z.string(), state: z.string(), detail: z.string(), next: z.string().optional() });

async function findings(env: Readonly<Record<string, string>>) {
  const { code, stdout } = await callCallboard(['doctor', '--json'], {
    CALLBOARD_DATA: folder,
    PORT: freePort,
    ...env,
  });
  return {
    code,
    found: stdout
      .trim()
      .split('\n')
      .map((line) => finding.parse(JSON.parse(line))),
  };
}

test('a healthy installation that does not run has no finding that failed', async () => {
  const { code, found } = await findings({});
  expect(found.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(code).toBe(0);
  expect(found.at(-1)).toMatchObject({ name: 'App', detail: `not running; port ${freePort} is free` });
});

test('wrong settings, a database that does not answer and a taken port are named with the next step', async () => {
  const wrong = await findings({ CALLBOARD_WORKERS: 'many', CALLBOARD_SECRET_KEY: 'short' });
  expect(wrong.code).toBe(1);
  expect(wrong.found.map(({ detail }) => detail).join()).toMatch(/CALLBOARD_WORKERS.*CALLBOARD_SECRET_KEY/);

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const DATABASE_URL = 'postgresql://me:top-secret@127.0.0.1:1/none';
  const { code, found } = await findings({ PORT: `${port}`, DATABASE_URL, CALLBOARD_PYTHON: '/no/python' });
  server.close();
  expect(code).toBe(1);
  const failed = found.filter(({ state }) => state === 'fail');
  expect(failed.map(({ name }) => name)).toEqual(['Python', 'Database', 'App']);
  expect(failed.every(({ next }) => next !== undefined)).toBe(true);
  expect(JSON.stringify(found)).not.toContain('top-secret');
});

test.skipIf(process.platform === 'win32')('a secret that others may read fails, and a key of before is noted', () => {
  writeFileSync(path.join(folder, 'access-token'), 'x', { mode: 0o600 });
  writeFileSync(path.join(folder, 'secret-key.old'), 'x', { mode: 0o600 });
  expect(checkDataFolder(folder).map(({ state }) => state)).toEqual(['ok', 'ok', 'warn']);
  chmodSync(path.join(folder, 'access-token'), 0o644);
  expect(checkDataFolder(folder)[1]).toMatchObject({ name: 'access-token', state: 'fail' });
  expect(checkDataFolder(path.join(folder, 'none'))).toMatchObject([{ state: 'ok' }]);
});

test('an old Node, a full disk and missing namespaces', () => {
  expect(['18.20.0', '20.18.9', '20.19.0', '24.1.0'].map((version) => checkNode(version).state)).toEqual([
    'fail',
    'fail',
    'ok',
    'ok',
  ]);
  expect([10_000_000, 500_000_000, 5e9, undefined].map((free) => checkDisk(folder, free).state)).toEqual([
    'fail',
    'warn',
    'ok',
    'ok',
  ]);
  expect(checkIsolation('none').state).toBe('warn');
});

test('an unknown option is refused', async () => {
  expect(await callCallboard(['doctor', '--fix'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--fix') });
});
