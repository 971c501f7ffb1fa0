import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ClusterError } from './cluster-folder';
import type { PostgresAccount } from './postgres-account';
import { databaseUser, serverEnv } from './postgres-command';
import { writeFileSafely } from './write-file-safely';

const stored = z.object({ password: z.string().regex(/^[0-9a-f]{16,}$/), port: z.int().min(1).max(65_535) });

export type ConnectionSettings = z.infer<typeof stored>;

/**
 * Reads the settings. Returns `undefined` when the file is missing, incomplete or not readable, because the password can be
 * set again.
 */
export function readConnectionSettings(file: string): ConnectionSettings | undefined {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Writes the settings if they changed. Only the owner can read the file. */
export function keepConnectionSettings(file: string, settings: ConnectionSettings): void {
  writeFileSafely(file, JSON.stringify(settings));
}

/**
 * Sets the password (hexadecimal digits) of the database's role while no server runs: `postgres --single` opens the files
 * directly, without a password or a port. Data is not changed. Throws ClusterError when Postgres refuses.
 */
export async function setPassword(account: PostgresAccount, cluster: string, password: string): Promise<void> {
  const [program, args] = account.command(account.binaries.postgres, ['--single', '-D', cluster, 'postgres']);
  const child = spawn(program, args, {
    ...account.ids,
    cwd: account.folder,
    env: serverEnv(account),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  // The program may end before it has read the line; its exit code tells that.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`ALTER ROLE ${databaseUser} WITH LOGIN PASSWORD '${password}'\n`);
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(said)) return;
  throw new ClusterError(
    `The password of the database in ${cluster} is lost, and a new one could not be set. Nothing else was changed.\n` +
      said.replaceAll(password, '…').trim().split('\n').slice(-5).join('\n'),
  );
}
