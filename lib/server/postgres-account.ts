import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from './postgres-binaries';

/** The account that Postgres runs as, because Postgres refuses to run as root. */
export interface PostgresAccount {
  /** Returns the command line that runs a program as that account. */
  command(program: string, args: readonly string[]): readonly [program: string, args: readonly string[]];
  /** The ids to pass to `spawn`. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
  /** The folder of its files: the wanted folder, or another one that the account can access. */
  readonly folder: string;
  readonly binaries: PostgresBinaries;
}

/**
 * Chooses the account. An ordinary user runs Postgres directly. Root on Linux runs it in a user namespace, in which root's
 * files belong to an ordinary user id. If namespaces are forbidden (some containers), a system user runs it, with copies of
 * the programs and a data folder that it can access.
 */
export function choosePostgresAccount(folder: string, binaries: PostgresBinaries): PostgresAccount {
  if (process.getuid?.() !== 0) {
    return { command: (program, args) => [program, args], ids: {}, folder, binaries };
  }
  const unshare = ['-U', '--map-user=1000', '--map-group=1000'];
  if (spawnSync('unshare', [...unshare, 'true'], { stdio: 'ignore' }).status === 0) {
    return { command: (program, args) => ['unshare', [...unshare, program, ...args]], ids: {}, folder, binaries };
  }
  const ids = systemUser();
  const home = systemHome(folder);
  const native = path.join(home, 'native');
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755);
  if (!existsSync(path.join(native, 'bin', 'postgres'))) {
    cpSync(binaries.native, native, { recursive: true, verbatimSymlinks: true });
  }
  const data = path.join(home, 'postgres');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chownSync(data, ids.uid, ids.gid);
  const bin = (file: string) => path.join(native, 'bin', path.basename(file));
  return {
    command: (program, args) => [program, args],
    ids,
    folder: data,
    binaries: { native, initdb: bin(binaries.initdb), postgres: bin(binaries.postgres), env: {} },
  };
}

/** Returns other folders that may hold the cluster of the wanted folder, from a start with other rights. */
export function otherHomes(account: PostgresAccount, wanted: string): readonly string[] {
  const inSystem = path.join(systemHome(wanted), 'postgres');
  return [wanted, ...(process.platform === 'win32' ? [] : [inSystem])].filter((home) => home !== account.folder);
}

function systemHome(folder: string): string {
  return path.join('/var/lib', `callboard-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
}

/** Returns the user `postgres` if it exists, otherwise `nobody`. */
function systemUser(): { readonly uid: number; readonly gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  const uid = Number(found?.[2]);
  const gid = Number(found?.[3]);
  if (!Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0) {
    throw new Error(
      'Postgres cannot run as root here, and there is no other user. Start Callboard as an ordinary user.',
    );
  }
  return { uid, gid };
}
