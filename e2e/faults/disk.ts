import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProject, readLog, startRun, waitForEnd } from './api';
import { bearer, createApp, type FaultApp, readHealth } from './app';
import type { CallBook } from './call-book';
import { faultsOfLog } from './checks';
import { projectFiles } from './load';
import { until } from './until';

const sizeMb = 400;

/** Thrown for a fault that cannot be made on this system. The message says why. */
export class NotTried extends Error {}

/** A file system of its own. */
export interface SmallDisk {
  readonly folder: string;
  remove(): void;
}

/** Mounts a small file system. Throws NotTried without root, because only root may mount one. */
export function mountSmallDisk(): SmallDisk {
  const disk = mkdtempSync(path.join(tmpdir(), 'callboard-faults-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'callboard-faults', disk]);
  if (mounted.status !== 0) {
    rmSync(disk, { recursive: true, force: true });
    throw new NotTried('this account may not mount a file system');
  }
  return {
    folder: disk,
    remove() {
      spawnSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true, force: true });
    },
  };
}

/** Runs Callboard on a separate file system, which is filled during a run and then gets room again. */
export async function fillDisk(env: Readonly<Record<string, string>>, book: CallBook): Promise<string> {
  const disk = mountSmallDisk();
  try {
    return await onDisk(disk, env, book);
  } finally {
    disk.remove();
  }
}

async function onDisk(disk: SmallDisk, env: Readonly<Record<string, string>>, book: CallBook): Promise<string> {
  const app = await createApp(env, path.join(disk.folder, 'data'));
  try {
    await app.start();
    const project = await createProject(app.url, projectFiles(book));
    const under = await startRun(app.url, project, 'run-920001');
    await until('the run has begun', 60_000, async () => (await readLog(app.url, under)).length > 5);
    const answers = await fillAndEmpty(app, disk, project);
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

/** Fills the disk, checks how a request is answered, and gives room again. */
export async function fillAndEmpty(app: FaultApp, disk: SmallDisk, project: string): Promise<string> {
  const ballast = path.join(disk.folder, 'ballast');
  try {
    fill(disk.folder, ballast);
    return await askUntilRefused(app.url, project);
  } finally {
    rmSync(ballast, { force: true });
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
