import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '@/lib/runtime/record/messages';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { liveProcesses } from '@/lib/testing/live-processes';
import { createShell, type Shell } from './shell';

let folder = '';
let shell: Shell;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callboard-test-'));
  await writeFile(path.join(folder, 'notes.md'), 'hello\n');
  shell = createShell({
    folder,
    env: { ...process.env, SECRET: 'x' },
    limits: { timeoutMs: 5_000, outputBytes: 1_000 },
  });
});

afterAll(async () => {
  await shell.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(command: string, options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) {
  const signal = options.signal ?? new AbortController().signal;
  const result = await shell.execute(command, { signal, timeoutMs: options.timeoutMs });
  return { text: textOf(result.content), code: result.errorCode };
}

describe('the shell', () => {
  it('runs in a copy of the folder, so that the folder stays as it is', async () => {
    expect(await run('cat notes.md && echo more > made.txt')).toEqual({ text: 'hello', code: undefined });
    expect(await run('cat made.txt')).toEqual({ text: 'more', code: undefined });
    expect(await readdir(folder)).toEqual(['notes.md']);
  });

  it('has a clean environment', async () => {
    const { text } = await run('env | cut -d= -f1 | sort');
    expect(text).not.toContain('SECRET');
    expect(text).toContain('PATH');
  });

  it('gives output and exit code of a command that fails', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toEqual({
      text: 'out\nerr\nError: The command ended with exit code 3.',
      code: 'TOOL_FAILED',
    });
  });

  it('kills what takes too long, with all it started', async () => {
    const { text, code } = await run('sh -c "sleep 61.0417" & echo begun; sleep 61.0417', { timeoutMs: 500 });
    expect(code).toBe('TOOL_TIMEOUT');
    expect(text).toContain('begun');
    await expect.poll(() => liveProcesses('sleep 61.0417')).toBe(0);
  });

  it('kills what a command leaves running', async () => {
    expect(await run('sleep 61.0418 & echo begun')).toEqual({ text: 'begun', code: undefined });
    await expect.poll(() => liveProcesses('sleep 61.0418')).toBe(0);
  });

  it('has all that a command says before it ends, however many end at once', async () => {
    const said = await Promise.all(Array.from({ length: 24 }, () => run('sleep 61.0420 & echo begun')));
    expect(said).toEqual(said.map(() => ({ text: 'begun', code: undefined })));
  });

  it.skipIf(systemFence().kind === 'none')(
    'kills what hides from it: a session of its own, no environment',
    async () => {
      const daemon = `setsid env -i /bin/sh -c ': > up; exec sleep 61.0419'`;
      expect(await run(`(${daemon} &); while [ ! -e up ]; do :; done; echo up`)).toEqual({
        text: 'up',
        code: undefined,
      });
      await expect.poll(() => liveProcesses('sleep 61.0419')).toBe(0);
    },
  );

  it('stops with its call', async () => {
    const controller = new AbortController();
    const running = run('sleep 60', { signal: controller.signal });
    controller.abort();
    expect((await running).code).toBe('AGENT_CANCELLED');
  });

  it('cuts a flood and does not block on it', async () => {
    const { text } = await run('head -c 3000000 /dev/zero | tr "\\0" x');
    expect(text.length).toBeLessThan(1_100);
    expect(text).toContain('[cut: first 1000 of');
  });
});
