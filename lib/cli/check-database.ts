import { Client } from 'pg';
import { silentConnectionName, workerConnectionName } from '@/lib/jobs/liveness';
import { newerSentence, readDatabaseVersion, unopenedKeys, unopenedLine } from '@/lib/server/database-version';
import { withoutPasswords } from '@/lib/server/log';
import { knownSecretKeys } from '@/lib/server/secret-key';
import type { Env } from '@/lib/server/settings/env';
import { readWebFacts } from '@/lib/server/web-facts';
import { openStore } from '@/lib/store/database';
import type { Finding } from './finding';

type Settings = Pick<Env, 'dataFolder' | 'secretKey' | 'oldSecretKey' | 'accounts'>;

/** Checks the database and what it tells of other processes. Only reads. */
export async function checkDatabase(url: string, settings: Settings): Promise<readonly Finding[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>('SHOW server_version');
    const found: Finding = { name: 'Database', state: 'ok', detail: `Postgres ${rows[0]?.version}` };
    const migrations = await checkMigrations(url);
    const clock = checkClock(await clockSkew(client));
    if (migrations.state !== 'ok') return [found, migrations, clock];
    return [
      found,
      migrations,
      clock,
      await checkKey(url, settings),
      await checkWorkers(url, client),
      await checkBackups(client, settings),
    ];
  } catch (error) {
    const detail = withoutPasswords(error instanceof Error ? error.message : String(error));
    return [{ name: 'Database', state: 'fail', detail, next: 'Check DATABASE_URL, and that the server runs.' }];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkMigrations(url: string): Promise<Finding> {
  const { missing, unknown } = await readDatabaseVersion(url);
  const name = 'Tables';
  if (unknown.length > 0) {
    return { name, state: 'fail', detail: 'of a newer Callboard', next: newerSentence({ unknown }) };
  }
  if (missing.length === 0) return { name, state: 'ok', detail: 'of this version' };
  const next = 'Start the web process of this version, which brings them up to date. Make a backup before.';
  return { name, state: 'warn', detail: `${missing.length} migrations behind this version`, next };
}

async function checkKey(url: string, settings: Settings): Promise<Finding> {
  const keys = knownSecretKeys(settings);
  const unopened = await unopenedKeys(url, keys);
  const name = 'Secret key';
  if (unopened.length > 0) {
    return {
      name,
      state: 'fail',
      detail: `secrets are sealed to ${unopened.join(', ')}`,
      next: unopenedLine(unopened, settings.dataFolder),
    };
  }
  return { name, state: 'ok', detail: keys.length === 0 ? 'made at the first start' : 'opens all secrets' };
}

/** The times between sending and receiving are too short to matter here. */
async function clockSkew(client: Client): Promise<number> {
  const sentAt = Date.now();
  const { rows } = await client.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  return (rows[0]?.now ?? sentAt) - (sentAt + Date.now()) / 2;
}

const noticedMs = 2_000;
const harmfulMs = 60_000;

/** Limits, ends of links and waiting runs are decided by the clock of the machine that looks. */
export function checkClock(skewMs: number): Finding {
  const seconds = Math.abs(skewMs) / 1_000;
  const detail = `${seconds.toFixed(1)} seconds ${skewMs < 0 ? 'ahead of' : 'behind'} the database`;
  if (Math.abs(skewMs) < noticedMs) return { name: 'Clock', state: 'ok', detail };
  const next = 'Set the clocks of both machines by NTP.';
  return { name: 'Clock', state: Math.abs(skewMs) < harmfulMs ? 'warn' : 'fail', detail, next };
}

/** The connection of each worker has the name of its version. */
async function checkWorkers(url: string, client: Client): Promise<Finding> {
  const store = openStore(url, { maxConnections: 1 });
  const facts = await readWebFacts(store).finally(() => store.close());
  const { rows } = await client.query<{ version: string }>(
    `SELECT split_part(application_name, ' ', 2) AS version FROM pg_stat_activity
     WHERE datname = current_database() AND split_part(application_name, ' ', 1) = $1 AND application_name <> $2`,
    [workerConnectionName, silentConnectionName],
  );
  const name = 'Versions';
  if (facts === undefined) return { name, state: 'ok', detail: 'no web process has started on this database' };
  const others = [...new Set(rows.map(({ version }) => version))].filter((version) => version !== facts.version);
  if (others.length === 0) return { name, state: 'ok', detail: `web and ${rows.length} workers: ${facts.version}` };
  return {
    name,
    state: 'fail',
    detail: `web ${facts.version}, workers ${others.map((version) => version || 'without a version').join(', ')}`,
    next: 'Install the version of the web process on all machines, and start their workers again.',
  };
}

const dayMs = 86_400_000;

async function checkBackups(client: Client, { accounts }: Settings): Promise<Finding> {
  const { rows } = await client.query<{ at: Date | null }>(
    `SELECT max(at) AS at FROM "Audit" WHERE action = 'backup.made'`,
  );
  return checkBackupAge(rows[0]?.at ? Date.now() - rows[0].at.getTime() : undefined, accounts);
}

/** A backup by other means than `callboard backup` is not known here, so this is never a failure. */
export function checkBackupAge(ageMs: number | undefined, isTeam: boolean): Finding {
  const name = 'Backup';
  const next = 'npx callboard backup FILE, from a timer (docs/deploy.md).';
  if (ageMs === undefined) {
    const found = { name, detail: 'none by callboard backup' } as const;
    return isTeam ? { ...found, state: 'warn', next } : { ...found, state: 'ok' };
  }
  const detail = `the last ${Math.floor(ageMs / dayMs)} days ago`;
  return ageMs > 7 * dayMs ? { name, state: 'warn', detail, next } : { name, state: 'ok', detail };
}
