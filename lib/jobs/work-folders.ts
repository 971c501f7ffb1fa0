import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TreeHash } from '@/lib/base/ids';
import { encodeFile } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';

/**
 * Trees as folders on disk, where the servers of a run find their files. One per tree and worker: runs of the same tree
 * share it, as they share the servers that run in it.
 */
export interface WorkFolders {
  /** Absolute path of the tree's folder, written on first use. */
  materialise(hash: TreeHash, folder: Folder): Promise<string>;
  remove(): Promise<void>;
}

/**
 * `<root>/<worker>/<tree>/…`. Packages that Callboard itself comes with (the MCP SDK) are found from there, as they are in
 * an unpacked example.
 */
export async function openWorkFolders(root: string, worker: string, packages: string): Promise<WorkFolders> {
  const own = path.join(root, worker);
  await mkdir(own, { recursive: true });
  await symlink(packages, path.join(root, 'node_modules'), 'junction').catch(ignoreExisting);
  await removeAbandoned(root);
  const written = new Map<TreeHash, Promise<string>>();
  return {
    materialise(hash, folder) {
      let folderPath = written.get(hash);
      if (folderPath === undefined) {
        folderPath = write(own, hash, folder);
        written.set(hash, folderPath);
        folderPath.catch(() => written.delete(hash));
      }
      return folderPath;
    },
    async remove() {
      await rm(own, { recursive: true, force: true });
    },
  };
}

async function write(own: string, hash: TreeHash, folder: Folder): Promise<string> {
  const target = path.join(own, hash.slice(0, 16));
  const draft = path.join(own, `.${randomUUID()}`);
  await mkdir(draft, { recursive: true });
  for (const [name, file] of folder) {
    const where = path.join(draft, ...name.split('/'));
    await mkdir(path.dirname(where), { recursive: true });
    await writeFile(where, encodeFile(file));
  }
  await rename(draft, target);
  return target;
}

/** Folders are named `<anything>-<pid>-<random>`; those of processes that are gone were left by a kill. */
async function removeAbandoned(root: string): Promise<void> {
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const pid = /-(\d+)-[0-9a-f]+$/.exec(entry.name)?.[1];
    if (!entry.isDirectory() || pid === undefined || isAlive(Number(pid))) continue;
    await rm(path.join(root, entry.name), { recursive: true, force: true });
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
