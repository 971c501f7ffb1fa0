import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProject, readLog, startRun, waitForEnd } from './api';
import { bearer, createApp, readHealth } from './app';
import type { CallBook } from './call-book';
import { faultsOfLog } from './checks';
import { projectFiles } from './load';
import { until } from './until';

const sizeMb = 400;

/** Thrown for a fault that cannot be made on this system. The message says why. */
export class NotTried extends Error {}

/**
 * Runs Callboard on a separate file system, which is filled during a run and then gets room again. Throws NotTried without
 * root, because only root may mount a file system.
 */
export async function fillDisk(env: Readonly<Record<string, string>>, book: CallBook): Promise<string> {
  const disk = mkdtempSync(path.join(tmpdir(), 'callboard-faults-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'callboard-faults', disk]);
  if (mounted.status !== 0) {
    rmSync(disk, { recursive: true, force: true });
    throw new NotTried('this account may not mount a file system');
  }
  try {
    return await onDisk(disk, env, book);
  } finally {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

async function onDisk(disk: string, env: Readonly<Record<string, string>>, book: CallBook): Promise<string> {
  const app = await createApp(env, path.join(disk, 'data'));
  await app.start();
  try {
    const project = await createProject(app.url, projectFiles(book));
    const under = await startRun(app.url, project, 'run-920001');
    await until('the run has begun', 60_000, async () => (await readLog(app.url, under)).length > 5);
    const ballast = path.join(disk, 'ballast');
    fill(disk, ballast);
    const answers = await askUntilRefused(app.url, project);
    rmSync(ballast);
    await until('health is ok once there is room', 120_000, async () => (await readHealth(app.url))?.status === 'ok');
    const after = await startRun(app.url, project, 'run-920002');
    for (const [name, id] of [
      ['run-920001', under],
      ['run-920002', after],
    ] as const) {
      const run = await waitForEnd(app.url, id);
      assert.equal(run.status, 'completed', `${name}: ${JSON.stringify(run.error)}`);
      assert.deepEqual(faultsOfLog(name, await readLog(app.url, id), book), []);
    }
    return `${answers}; with room again, the run under way and the next one completed`;
  } finally {
    const left = await app.stop();
    assert.deepEqual(left, []);
  }
}

/** Writes until the disk is full. */
function fill(disk: string, file: string): void {
  const block = Buffer.alloc(1024 * 1024);
  const handle = openSync(file, 'w');
  try {
    for (let blocks = 0; blocks < sizeMb * 2; blocks += 1) if (writeSync(handle, block) < block.length) break;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(handle);
  }
  assert.ok(statfsSync(disk).bavail < 256, 'the disk is not full');
}

/** Checks that every request is answered with a sentence, and that projects of a megabyte are soon refused. */
async function askUntilRefused(url: string, project: string): Promise<string> {
  const text = 'x'.repeat(1024 * 1024);
  let refused = '';
  await until('a project is refused', 60_000, async () => {
    const headers = { ...bearer, 'content-type': 'application/json' };
    const files = { 'a.md': `${Math.random()}${text}` };
    const body = JSON.stringify({ name: `Full ${project}`, files });
    const signal = AbortSignal.timeout(30_000);
    const answer = await fetch(`${url}/api/v1/projects`, { method: 'POST', headers, body, signal });
    const said = await answer.text();
    if (answer.ok) return false;
    refused = `${answer.status} ${said.slice(0, 200)}`;
    const { error } = JSON.parse(said) as { error?: { message?: string } };
    assert.ok(answer.status === 503 || answer.status === 507, refused);
    assert.ok((error?.message ?? '').length > 20, `no sentence: ${said}`);
    return true;
  });
  return `refused with ${refused}`;
}
