import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';

/** The real command, with a server that cannot start. */

const launcher = path.resolve(import.meta.dirname, '../../bin/callboard.mjs');
let root = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-dead-'));
  await writeFile(path.join(root, 'lead.md'), '---\nname: lead\nmodel: passthrough\nservers: [files]\n---\nWork.\n');
  await writeFile(
    path.join(root, 'fast-agent.yaml'),
    'mcp:\n  servers:\n    files:\n      command: node\n      args: [gone.mjs]\n',
  );
});
afterAll(() => rm(root, { recursive: true, force: true }));

function run(...more: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const args = [launcher, 'run', root, '--message', 'hello', ...more];
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('a run whose server did not start answers with a warning that names the cause; --strict makes it exit 1', async () => {
  const plain = await run();
  expect([plain.code, plain.stdout]).toEqual([0, 'hello\n']);
  expect(plain.stderr).toMatch(/^Run completed, 1 server did not start\.$/m);
  expect(plain.stderr).toMatch(
    /^warning: Server 'files' did not start: `node gone\.mjs` exited with code 1\. Error: Cannot find module '.*gone\.mjs'$/m,
  );
  const strict = await run('--strict', '--json');
  expect(strict.code).toBe(1);
  const events: RunEvent[] = strict.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({
    kind: 'run.finished',
    status: 'completed',
    failedServers: [{ name: 'files' }],
  });
});
