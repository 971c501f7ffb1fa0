import type { PostgresAccount } from './postgres-account';
import { environment } from './settings/process-env';

/** The one role of an embedded database. */
export const databaseUser = 'callboard';

/** Returns the environment of the programs of Postgres, which has only the paths of programs and libraries. */
export function serverEnv(account: PostgresAccount): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = environment();
  return {
    NODE_ENV: 'production',
    PATH,
    SystemRoot,
    LC_ALL: 'C',
    ...account.binaries.env,
  };
}

/**
 * Returns the arguments of `postgres`. It listens only on loopback, at `port`. `extra` has names and values of
 * postgresql.conf.
 */
export function serverArguments(
  cluster: string,
  port: number,
  extra: Readonly<Record<string, string>>,
): readonly string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...extra,
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
