import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/base/app-error';
import type { Clock } from '@/lib/base/clock';
import type { TreeHash } from '@/lib/base/ids';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';

/**
 * Writes trees to folders on disk, for the servers and code of runs. Each worker has one folder per tree. Runs of the same
 * tree share the folder, and the servers that run in it.
 *
 *   materialise ─▶ used by n runs ──release──▶ unused ──5 minutes, beyond a limit, or no run left of its tree──▶ removed
 */
export interface WorkFolders {
  /** Returns the folder of the tree, which is written on first use. The caller must release it when its run has ended. */
  materialise(hash: TreeHash, folder: Folder): Promise<WorkFolder>;
  /** Removes unused folders that are old, over the limits, or without runs. Call it regularly. */
  sweep(): Promise<void>;
  /** Removes all folders of this worker. */
  remove(): Promise<void>;
}

export interface WorkFolder {
  /** The absolute path. */
  readonly path: string;
  release(): void;
}

export interface WorkFolderOptions {
  readonly root: string;
  /** The worker's name has the form `<anything>-<pid>-<random>`. */
  readonly worker: string;
  /** The `node_modules` of Callboard (with the MCP SDK), so that servers in the folders can import it. */
  readonly packages: string;
  readonly clock: Clock;
  /** Returns those of the given trees that still have runs, in any state. */
  findWanted(hashes: readonly TreeHash[]): Promise<ReadonlySet<TreeHash>>;
  /** Ends the processes in a folder. It is called before the folder is removed. */
  leave(path: string): Promise<void>;
  /** The largest number of unused folders; 50 by default. */
  readonly maxUnused?: number;
  /** The largest size of their files together, in bytes; 512 MiB by default. */
  readonly maxUnusedBytes?: number;
}

/** An MCP server without calls is kept for the same time. */
const keepUnusedMs = 300_000;

interface Copy {
  readonly hash: TreeHash;
  readonly written: Promise<string>;
  readonly bytes: number;
  users: number;
  unusedSince: number;
}

/** Opens `<root>/<worker>`, and removes the folders of workers that were killed. */
export async function openWorkFolders(options: WorkFolderOptions): Promise<WorkFolders> {
  const { root, worker, clock, maxUnused = 50, maxUnusedBytes = 512 * 1024 * 1024 } = options;
  const own = path.join(root, worker);
  await mkdir(own, { recursive: true });
  await symlink(options.packages, path.join(root, 'node_modules'), 'junction').catch(ignoreExisting);
  await removeAbandoned(root, worker);
  const copies = new Map<TreeHash, Copy>();

  function copyOf(hash: TreeHash, folder: Folder): Copy {
    const known = copies.get(hash);
    if (known !== undefined) return known;
    const bytes = [...folder.values()].reduce((sum, file) => sum + encodeFile(file).length, 0);
    const copy: Copy = { hash, written: write(own, hash, folder), bytes, users: 0, unusedSince: 0 };
    copies.set(hash, copy);
    copy.written.catch(() => copies.delete(hash));
    return copy;
  }

  async function discard(copy: Copy): Promise<void> {
    // The entry is removed first, so that a run of this tree that begins now gets a new folder.
    copies.delete(copy.hash);
    const written = await copy.written;
    await options.leave(written);
    await rm(written, { recursive: true, force: true });
  }

  return {
    async materialise(hash, folder) {
      const copy = copyOf(hash, folder);
      copy.users += 1;
      let isReleased = false;
      return {
        path: await copy.written,
        release() {
          if (isReleased) return;
          isReleased = true;
          copy.users -= 1;
          copy.unusedSince = clock.now();
        },
      };
    },
    async sweep() {
      const asked = [...copies.values()].filter((copy) => copy.users === 0);
      if (asked.length === 0) return;
      const wanted = await options.findWanted(asked.map((copy) => copy.hash));
      const newestFirst = asked.filter((copy) => copy.users === 0).sort((a, b) => b.unusedSince - a.unusedSince);
      const outdated: Copy[] = [];
      let bytes = 0;
      for (const [index, copy] of newestFirst.entries()) {
        bytes += copy.bytes;
        const isTooMuch = index >= maxUnused || bytes > maxUnusedBytes;
        const isOld = clock.now() - copy.unusedSince >= keepUnusedMs;
        if (isTooMuch || isOld || !wanted.has(copy.hash)) outdated.push(copy);
      }
      await Promise.all(outdated.map(discard));
    },
    async remove() {
      await rm(own, { recursive: true, force: true });
    },
  };
}

/** Every copy has a unique name, so a copy that is being removed never collides with a new one. */
async function write(own: string, hash: TreeHash, folder: Folder): Promise<string> {
  const name = `${hash.slice(0, 16)}-${randomUUID().slice(0, 8)}`;
  const draft = path.join(own, `.${name}`);
  const target = path.join(own, name);
  try {
    await mkdir(draft, { recursive: true });
    for (const [file, content] of folder) {
      const where = path.join(draft, ...file.split('/'));
      await mkdir(path.dirname(where), { recursive: true });
      await writeNew(where, file, encodeFile(content));
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return target;
}

/** Writes a file and never overwrites one, because on a disk that ignores case `a.md` would replace `A.md`. */
async function writeNew(where: string, name: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(where, bytes, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new AppError(
      'conflict',
      `'${name}' and another file of the project have the same name on this worker's disk. Rename one of them.`,
    );
  }
}

/** Removes folders of killed workers. A folder with the id of this process is one of them, because systems reuse ids. */
async function removeAbandoned(root: string, worker: string): Promise<void> {
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const pid = Number(/-(\d+)-[0-9a-f]+$/.exec(entry.name)?.[1]);
    if (!entry.isDirectory() || Number.isNaN(pid) || entry.name === worker) continue;
    if (pid === process.pid || !isAlive(pid)) await rm(path.join(root, entry.name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
