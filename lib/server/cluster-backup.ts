import {
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { ClusterError, listBackups, timeStamp } from './cluster-folder';
import { freeBytes, megabytes } from './disk-space';
import type { PostgresCluster } from './embedded-postgres';
import { syncFolder } from './write-file-safely';

const keptBackups = 2;
/** The free space for the migration itself, beside the copy. It is at least two WAL files of Postgres of 16 MB each. */
const marginBytes = 64 * 1024 * 1024;
/** These files belong to a running server and are not copied. */
const notCopied = new Set(['postmaster.pid', 'postmaster.opts']);

/**
 * Copies the files of a stopped cluster to `<backups>/<time>-<label>` and returns that folder. It has a draft name until
 * every file is on the disk, so every named backup is complete. The two latest are kept. `label` has letters, digits, `_` and `-`.
 * Throws ClusterError when there is not enough space; then nothing was changed.
 */
export function backUpCluster({ folder: cluster, backups, account }: PostgresCluster, label: string): string {
  const own = (file: string) => {
    if (account.ids.uid !== undefined) chownSync(file, account.ids.uid, account.ids.gid ?? account.ids.uid);
  };
  if (mkdirSync(backups, { recursive: true, mode: 0o700 }) !== undefined) own(backups);
  removeDrafts(backups);
  makeSureOfRoom(cluster, backups);
  const backup = path.join(backups, `${timeStamp(new Date())}-${label}`);
  const draft = `${backup}${draftEnding}`;
  try {
    copyFolder(cluster, draft, own);
    renameSync(draft, backup);
  } catch (error) {
    removeDrafts(backups);
    const said = error instanceof Error ? error.message : String(error);
    throw new ClusterError(`The database in ${cluster} could not be backed up, so it was not changed. ${said}`);
  }
  syncFolder(backups);
  for (const name of listBackups(backups).slice(0, -keptBackups)) {
    rmSync(path.join(backups, name), { recursive: true, force: true });
  }
  return backup;
}

const draftEnding = '.draft';

/** Removes unfinished copies. It removes only Callboard's own names, because users may keep other copies here. */
function removeDrafts(backups: string): void {
  for (const name of readdirSync(backups)) {
    if (/^\d{8}T\d{6}Z-[\w-]+\.draft$/.test(name)) rmSync(path.join(backups, name), { recursive: true, force: true });
  }
}

function makeSureOfRoom(cluster: string, backups: string): void {
  const needed = sizeOf(cluster) + marginBytes;
  const free = freeBytes(backups);
  if (free === undefined || free >= needed) return;
  throw new ClusterError(
    `The database in ${cluster} has to be brought up to date, and a backup is made first. It needs ${megabytes(needed)}; the ` +
      `disk has ${megabytes(free)} free. Make room and start again. Nothing was changed.`,
  );
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/**
 * Copies a folder. Every file is on the disk when this returns. If the file system supports it, a copy shares its blocks
 * with the original.
 */
function copyFolder(from: string, to: string, own: (file: string) => void): void {
  mkdirSync(to, { mode: 0o700 });
  own(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (notCopied.has(entry.name)) continue;
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) copyFolder(source, target, own);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) copyFile(source, target, own);
  }
  syncFolder(to);
}

function copyFile(source: string, target: string, own: (file: string) => void): void {
  copyFileSync(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  own(target);
  const descriptor = openSync(target, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
