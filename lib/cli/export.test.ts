import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readZip } from '@/lib/server/folders/zip';

const launcher = path.resolve(import.meta.dirname, '../../bin/callboard.mjs');
let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-export-'));
  await mkdir(path.join(root, 'poems/cards'), { recursive: true });
  await writeFile(
    path.join(root, 'poems/cards/poet.md'),
    '---\nname: poet\ntool_hooks: [hooks.py:audit]\n---\nWrite.\n',
  );
  await writeFile(
    path.join(root, 'poems/cards/hooks.py'),
    'async def audit(ctx, args, call_next):\n    return await call_next()\n',
  );
});
afterAll(() => rm(root, { recursive: true, force: true }));

function callboard(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('writes a zip that holds the adapter, tells what moved, and writes over nothing', async () => {
  const first = await callboard('export', 'poems', '--for', 'fast-agent');
  expect(first).toMatchObject({ code: 0, stdout: 'poems-fast-agent.zip\n' });
  expect(first.stderr).toContain('cards/poet.md:3 moved: The hook of tool_hooks runs in cards/callboard_hooks.py');
  const zip = readZip(await readFile(path.join(root, 'poems-fast-agent.zip')));
  expect([...zip.keys()].sort()).toEqual(['cards/callboard_hooks.py', 'cards/hooks.py', 'cards/poet.md']);
  expect(await callboard('export', 'poems', '--for', 'fast-agent')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('poems-fast-agent.zip exists.'),
  });
});

test('writes a folder as it is, and exits 1 when something could not be carried', async () => {
  expect(await callboard('export', 'poems', '--out', 'copy')).toMatchObject({ code: 0, stdout: 'copy\n', stderr: '' });
  expect(await readFile(path.join(root, 'copy/cards/poet.md'))).toEqual(
    await readFile(path.join(root, 'poems/cards/poet.md')),
  );
  await writeFile(path.join(root, 'copy/callboard.yaml'), 'version: 1\nlimits: {max_depth: 2}\n');
  const lossy = await callboard('export', 'copy', '--for', 'fast-agent', '--out', 'lossy', '--json');
  expect(lossy.code).toBe(1);
  const report = JSON.parse(lossy.stdout);
  expect(report.out).toBe('lossy');
  expect(report.notes.map((note: { kind: string }) => note.kind)).toEqual(['lost', 'moved']);
  expect((await callboard('export', 'copy', '--for', 'langgraph')).code).toBe(2);
  expect((await callboard('export', 'copy', '--out', 'lossy')).stderr).toContain('lossy is not empty.');
});

test('writes agents of VS Code, and names what that program has no place for', async () => {
  const exported = await callboard('export', 'poems', '--for', 'vscode');
  expect(exported).toMatchObject({ code: 1, stdout: 'poems-vscode.zip\n' });
  expect(exported.stderr).toContain("cards/poet.md:3 lost: 'tool_hooks' of 'poet'");
  const zip = readZip(await readFile(path.join(root, 'poems-vscode.zip')));
  expect([...zip.keys()].sort()).toEqual(['.github/agents/poet.agent.md', 'cards/hooks.py']);
});
