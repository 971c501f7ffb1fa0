import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConnectionSettings } from '@/lib/server/connection-settings';
import { openPostgres } from '@/lib/server/embedded-postgres';
import { databaseUser } from '@/lib/server/postgres-command';
import { stillLives } from '@/lib/server/process-identity';
import type { Env } from '@/lib/server/settings/env';
import { lockDataFolder, lockHolder, unlockDataFolder } from '@/lib/server/start-lock';

/**
 * Gives a command the address of Callboard's database: that of `DATABASE_URL`, or that of the running embedded one. An embedded one
 * that does not run is started for the command alone. With `alone`, throws an Error for users while Callboard runs on the data
 * folder.
 */
export async function withCommandDatabase<T>(
  env: Pick<Env, 'dataFolder' | 'databaseUrl'>,
  { alone }: { readonly alone: boolean },
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const holder = lockHolder(env.dataFolder);
  const isRunning = holder !== undefined && stillLives(holder);
  if (isRunning && alone) throw new Error(stopFirst(env.dataFolder));
  if (env.databaseUrl !== undefined) return await work(env.databaseUrl);
  if (isRunning) return await work(embeddedUrl(env.dataFolder));
  if (!alone && !existsSync(path.join(env.dataFolder, 'postgres'))) {
    throw new Error(
      `${env.dataFolder} has no database. Set CALLBOARD_DATA or DATABASE_URL as for the start of Callboard.`,
    );
  }
  if (lockDataFolder(env.dataFolder) !== undefined) throw new Error(stopFirst(env.dataFolder));
  try {
    const cluster = await openPostgres(env.dataFolder);
    const server = await cluster.start();
    try {
      return await work(cluster.url);
    } finally {
      await cluster.stop();
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    }
  } finally {
    unlockDataFolder(env.dataFolder);
  }
}

/** Returns the address of the database, if nothing has to be started for it. */
export function runningDatabaseUrl({
  dataFolder,
  databaseUrl,
}: Pick<Env, 'dataFolder' | 'databaseUrl'>): string | undefined {
  if (databaseUrl !== undefined) return databaseUrl;
  const holder = lockHolder(dataFolder);
  if (holder === undefined || !stillLives(holder)) return undefined;
  const known = readConnectionSettings(path.join(dataFolder, 'postgres', 'connection.json'));
  return known && urlOf(known);
}

function stopFirst(dataFolder: string): string {
  return `Callboard runs on ${dataFolder}. Stop it first.`;
}

function embeddedUrl(dataFolder: string): string {
  const known = readConnectionSettings(path.join(dataFolder, 'postgres', 'connection.json'));
  if (known === undefined) throw new Error('The database is starting. Try again in a moment.');
  return urlOf(known);
}

function urlOf({ password, port }: { readonly password: string; readonly port: number }): string {
  return `postgresql://${databaseUser}:${password}@127.0.0.1:${port}/callboard`;
}
