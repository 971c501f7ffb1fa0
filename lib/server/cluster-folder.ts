import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { syncFolder } from './write-file-safely';

/** Thrown when the database folder cannot be used. The message names the problem and the next step. Nothing was changed. */
export class ClusterError extends Error {}

export interface ClusterPlace {
  /** The folder of the cluster's files. It may not exist yet. */
  readonly cluster: string;
  readonly majorVersion: string;
  /** The user id that Postgres runs as; `undefined` on systems without user ids. */
  readonly uid: number | undefined;
  /** The folder of backups, so that messages can name the latest. */
  readonly backups: string;
}

/** A folder with any of these may contain data, even if other files are missing. */
const signs = ['PG_VERSION', 'base', 'global', 'pg_wal', 'pg_xact', 'pg_tblspc', 'postgresql.conf', 'pg_hba.conf'];

/** A server does not start without these. */
const essentials = [
  'PG_VERSION',
  'base',
  'global/pg_control',
  'pg_wal',
  'pg_xact',
  'postgresql.conf',
  'pg_hba.conf',
  'pg_ident.conf',
];

/**
 * Checks the folder before a server starts on it. `cluster` means that a server may be started. `none` means that there is
 * no cluster and the path is free for a new one; a folder that certainly is no cluster has been renamed. Throws
 * ClusterError in all other cases. Nothing is ever removed, because a folder that cannot be read now may hold the only copy
 * of the data.
 */
export function prepareClusterFolder(place: ClusterPlace): 'cluster' | 'none' {
  const { cluster } = place;
  const stats = statOf(place);
  if (stats === undefined) return noOtherVersion(place);
  const names = stats.isDirectory() ? listOf(place) : [];
  if (!names.some((name) => signs.includes(name))) {
    if (stats.isDirectory() && names.length === 0) rmdirSync(cluster);
    else moveAside(cluster, 'no-database');
    return noOtherVersion(place);
  }
  if (place.uid !== undefined && stats.uid !== place.uid) {
    throw new ClusterError(
      `The database in ${cluster} belongs to another account (number ${stats.uid}, not ${place.uid}). Start Callboard as ` +
        `that account, or give it the folder: chown -R ${place.uid} '${cluster}'`,
    );
  }
  const missing = essentials.filter((name) => !existsSync(path.join(cluster, name)));
  if (missing.length > 0) throw brokenCluster(place, `it has no ${missing.join(', no ')}`);
  const version = readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (!/^\d+(\.\d+)?$/.test(version)) throw brokenCluster(place, 'its file PG_VERSION has no version');
  if (version !== place.majorVersion) throw otherVersion(cluster, version, place.majorVersion);
  // Postgres refuses a folder that other users may read. A plain copy of a backup creates such a folder.
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) chmodSync(cluster, 0o700);
  return 'cluster';
}

/** Renames the folder, with the time in its new name. Returns the new path. */
export function moveAside(folder: string, why: string): string {
  const stamp = timeStamp(new Date());
  for (let count = 1; ; count += 1) {
    const aside = `${folder}.${why}-${stamp}${count === 1 ? '' : `-${count}`}`;
    if (existsSync(aside)) continue;
    renameSync(folder, aside);
    syncFolder(path.dirname(folder));
    return aside;
  }
}

/** Returns a text such as 20260131T090000Z. It sorts by time, and is a valid file name on every system. */
export function timeStamp(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Returns the names of complete backups, the latest last. */
export function listBackups(backups: string): readonly string[] {
  if (!existsSync(backups)) return [];
  return readdirSync(backups)
    .filter((name) => /^\d{8}T\d{6}Z-[\w-]+$/.test(name))
    .sort();
}

/** Tells the user what to do about a database that does not start. */
export function restoreAdvice(cluster: string, backups: string): string {
  const latest = listBackups(backups).at(-1);
  if (latest === undefined) {
    return `There is no backup in ${backups}. Keep a copy of the folder before you try anything; docs/data.md says what can be tried.`;
  }
  return `The latest backup is ${path.join(backups, latest)}. To go back to it, move ${cluster} away and copy the backup to that name (docs/data.md).`;
}

/** Throws if a cluster of another version exists, because with a new empty cluster all projects would seem lost. */
function noOtherVersion({ cluster, majorVersion }: ClusterPlace): 'none' {
  const folder = path.dirname(cluster);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!/^\d+$/.test(name) || name === majorVersion) continue;
    const other = path.join(folder, name);
    if (existsSync(path.join(other, 'PG_VERSION'))) throw otherVersion(other, name, majorVersion);
  }
  return 'none';
}

function statOf({ cluster }: ClusterPlace): Stats | undefined {
  try {
    return lstatSync(cluster);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unreadable(cluster, error);
  }
}

function listOf({ cluster }: ClusterPlace): readonly string[] {
  try {
    return readdirSync(cluster);
  } catch (error) {
    throw unreadable(cluster, error);
  }
}

function unreadable(cluster: string, error: unknown): ClusterError {
  const said = error instanceof Error ? error.message : String(error);
  return new ClusterError(
    `The database in ${cluster} cannot be read (${said}). Start Callboard as the account that the folder belongs to, or give ` +
      'your account the right to read and write it.',
  );
}

function brokenCluster({ cluster, backups }: ClusterPlace, fault: string): ClusterError {
  return new ClusterError(
    `The database in ${cluster} is damaged: ${fault}. Nothing was changed. ${restoreAdvice(cluster, backups)}`,
  );
}

function otherVersion(cluster: string, version: string, majorVersion: string): ClusterError {
  return new ClusterError(
    `The database in ${cluster} was made by Postgres ${version}; this Callboard brings Postgres ${majorVersion}, which cannot ` +
      'open it. Start the Callboard that made it and export your projects, or move the folder away to begin with an empty one.',
  );
}
