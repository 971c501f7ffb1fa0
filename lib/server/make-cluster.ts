import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ClusterError, moveAside } from './cluster-folder';
import { diskFullSentence, isDiskScarce } from './disk-space';
import type { PostgresAccount } from './postgres-account';
import { databaseUser, serverEnv } from './postgres-command';
import { syncFolder } from './write-file-safely';

/**
 * Creates a new, empty cluster in another folder, and renames that folder when it is complete, so that an interrupted start
 * leaves no incomplete cluster. Throws ClusterError.
 */
export function makeCluster(account: PostgresAccount, cluster: string, password: string): void {
  const draft = `${cluster}.new`;
  if (existsSync(draft)) moveAside(draft, 'unfinished');
  const passwordFile = path.join(account.folder, 'password');
  const [program, args] = account.command(account.binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${databaseUser}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]);
  try {
    rmSync(passwordFile, { force: true });
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
    if (account.ids.uid !== undefined) chownSync(passwordFile, account.ids.uid, account.ids.gid ?? account.ids.uid);
    const result = spawnSync(program, args, {
      ...account.ids,
      cwd: account.folder,
      env: serverEnv(account),
      encoding: 'utf8',
    });
    if (result.status !== 0) throw new Error(`${result.stderr ?? ''}${result.error?.message ?? ''}`.trim());
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const why =
      /ENOSPC|No space left/.test(said) || isDiskScarce(account.folder) ? diskFullSentence(account.folder) : said;
    throw new ClusterError(`The database could not be made in ${cluster}.\n${why}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, cluster);
  syncFolder(path.dirname(cluster));
}
