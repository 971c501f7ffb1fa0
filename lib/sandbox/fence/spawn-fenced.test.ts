import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { liveProcesses } from '@/lib/testing/live-processes';
import { systemFence } from './fence';
import { describeFence } from './fence-kind';
import { endingOf, type FencedProcess, spawnFenced } from './spawn-fenced';
import { marker } from './stray-processes';

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-fence-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isFenced = systemFence().kind !== 'none';
const PATH = process.env.PATH;

function start(command: string, args: readonly string[], more: Partial<FencedProcess> = {}) {
  return spawnFenced({ command, args, cwd: folder, env: { PATH }, mark: marker(), stdio: 'pipe', ...more });
}

async function outcome(command: string, args: readonly string[], more: Partial<FencedProcess> = {}, input = '') {
  const child = start(command, args, more);
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (out += text));
  // EPIPE: a command that does not read its input may end before the input is written.
  child.stdin?.on('error', () => {}).end(input);
  const [code, signal] = await once(child, 'close');
  return { out, ...endingOf(code, signal) };
}

const sh = (script: string, more: Partial<FencedProcess> = {}, input?: string) =>
  outcome('/bin/sh', ['-c', script, 'sh', 'two words', '$HOME "x"'], more, input);

describe('a process of a graph', () => {
  test('has its own folder, arguments and input, and ends with its own code', async () => {
    expect(await sh('pwd; echo "$1|$2"; cat; echo err >&2; exit 3', {}, 'said\n')).toEqual({
      out: expect.stringMatching(new RegExp(`^${folder}\ntwo words\\|\\$HOME "x"\nsaid\n(err\n)?$`)),
      code: 3,
      signal: null,
    });
  });

  test('that a signal ended is said to be ended by it', async () => {
    expect(await sh('kill -KILL $$')).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(await sh('kill -TERM $$')).toMatchObject({ out: '', code: null, signal: 'SIGTERM' });
  });

  test('has the variables it is given and the marker, whatever their names and values', async () => {
    const env = { PATH, A: `it's "q" $x\nnew`, EMPTY: '', LD_BIND_NOW: '1', 'odd-name.x': 'y z', UNSET: undefined };
    const mark = marker();
    const { out } = await outcome('env', ['-0'], { env, mark });
    const given = Object.fromEntries(out.split('\0').flatMap((line) => (line === '' ? [] : [line.split(/=(.*)/s)])));
    const { UNSET: _, ...expected } = env;
    expect(given).toEqual({ ...expected, ...mark });
  });

  test('that is not found, or may not run, is an error with its code', async () => {
    writeFileSync(path.join(folder, 'plain'), 'echo no');
    chmodSync(path.join(folder, 'plain'), 0o644);
    const failure = async (command: string) => {
      try {
        await once(start(command, []), 'spawn');
      } catch (error) {
        return error;
      }
    };
    expect(await failure('no-such-program')).toMatchObject({ code: 'ENOENT' });
    expect(await failure('./plain')).toMatchObject({ code: 'EACCES' });
  });

  test('is found by its PATH and by its folder', async () => {
    writeFileSync(path.join(folder, 'own'), '#!/bin/sh\necho mine\n');
    chmodSync(path.join(folder, 'own'), 0o755);
    expect(await outcome('./own', [])).toMatchObject({ out: 'mine\n' });
    expect(await outcome('own', [], { env: { PATH: `.:${PATH}` } })).toMatchObject({ out: 'mine\n' });
  });

  test('ends with its group, and all it started', async () => {
    const child = start('/bin/sh', ['-c', 'sleep 62.0421 & echo begun; sleep 62.0421']);
    if (child.stdout === null || child.pid === undefined) throw new Error('it did not start');
    await once(child.stdout, 'data');
    process.kill(-child.pid, 'SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => liveProcesses('sleep 62.0421')).toBe(0);
  });
});

describe.skipIf(!isFenced)(`behind the fence: ${describeFence(systemFence().kind).meaning}`, () => {
  test('reads the environment of no process outside', async () => {
    const look = 'for file in /proc/[0-9]*/environ; do tr "\\0" "\\n" <"$file"; done 2>/dev/null';
    const { out } = await sh(`${look}; true </proc/${process.pid}/environ || echo closed`);
    expect(out).toContain('closed\n');
    // The variables of the process that runs these tests.
    expect(out).not.toContain('VITEST');
    expect(readFileSync('/proc/self/environ', 'utf8')).toMatch(/VITEST|npm_|SHELL|HOME/);
  });

  test('cannot take the fence away', async () => {
    const away = ['umount /proc', 'nsenter -t 1 -p -m true', 'unshare -m umount /proc', 'unshare -r -m umount /proc'];
    const { out } = await sh(
      `${away.map((line) => `${line} 2>/dev/null && echo "done: ${line}"`).join('; ')}; ls /proc | grep -c "^[0-9]"`,
    );
    expect(out).not.toContain('done: umount');
    expect(out).not.toContain('done: unshare');
  });

  test('has variables that change how programs load only once it is behind it', async () => {
    const child = start('/bin/sh', ['-c', 'echo begun; exec sleep 62.0422'], {
      env: { PATH, LD_PRELOAD: '/nowhere.so' },
    });
    if (child.stdout === null || child.pid === undefined) throw new Error('it did not start');
    await once(child.stdout, 'data');
    const outside = readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0');
    process.kill(-child.pid, 'SIGKILL');
    expect(outside.some((line) => line.startsWith('LD_PRELOAD='))).toBe(false);
    expect(outside).toContain('CALLBOARD_FENCE_1=LD_PRELOAD=/nowhere.so');
  });

  test('a process that left its group, its session and its environment ends with the one that started it', async () => {
    const daemon = `setsid env -i /bin/sh -c ': > up; exec sleep 62.0423' >/dev/null 2>&1`;
    const wait = 'while [ ! -e up ]; do :; done; echo up';
    expect(await sh(`(${daemon} &); ${wait}`)).toMatchObject({ out: 'up\n', code: 0 });
    await expect.poll(() => liveProcesses('sleep 62.0423')).toBe(0);
  });
});
