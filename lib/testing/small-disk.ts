import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

export interface SmallDisk {
  /** An empty folder on the file system. */
  readonly folder: string;
  /** Uses up the free space. */
  fill(): void;
  /** Frees the space that `fill` used. */
  free(): void;
}

/**
 * Mounts a file system of `kilobytes` for one test. When it cannot be mounted (without root, or in a container that forbids
 * it), the test is skipped with the reason.
 */
export function smallDisk(context: TestContext, kilobytes: number): SmallDisk {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callboard-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=755`, 'callboard-test', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    const why = mounted.error?.message ?? mounted.stderr.trim();
    console.warn(`SKIPPED "${context.task.name}": no small file system can be mounted here (${why}).`);
    context.skip(`no small file system can be mounted here (${why})`);
  }
  const ballast = path.join(folder, 'ballast');
  onTestFinished(() => {
    // The unmount is lazy, because a process that is ending may still have an open file.
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    fill() {
      const descriptor = openSync(ballast, 'a');
      try {
        for (const size of [1 << 20, 1 << 12, 1]) writeUntilFull(descriptor, size);
      } finally {
        closeSync(descriptor);
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

function writeUntilFull(descriptor: number, size: number): void {
  const block = Buffer.alloc(size, 'x');
  try {
    while (writeSync(descriptor, block) === size);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
