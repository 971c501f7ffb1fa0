import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { openStore } from '@/lib/store/database';
import { migrate } from '@/lib/store/migrate';
import { insertProject } from '@/lib/store/projects';
import { smallDisk } from '@/lib/testing/small-disk';
import { listBackups } from './cluster-folder';
import { openPostgres, type PostgresCluster } from './embedded-postgres';
import { prepareDatabase } from './prepare-database';
import { appFolder } from './settings/app-folder';
import { startWithBackup } from './start-with-backup';

const root = mkdtempSync(path.join(tmpdir(), 'callboard-backup-'));
const template = path.join(root, 'template');

beforeAll(async () => {
  const cluster = await openPostgres(template);
  await cluster.start();
  await prepareDatabase(cluster.url);
  await systemStore(cluster, (store) => insertProject(store, 'Mine', folderOf({ 'a.md': 'a' })));
  await cluster.stop();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;

async function open(data: string): Promise<PostgresCluster> {
  const cluster = await openPostgres(data);
  onTestFinished(() => cluster.stop());
  return cluster;
}

/** A data folder of its own with a stopped database that holds the project "Mine" and lacks no migration. */
function dataFolder(): string {
  folders += 1;
  const data = path.join(root, `data ${folders}`);
  cpSync(template, data, { recursive: true });
  return data;
}

/** The migrations of this Callboard and one of a later one. */
function laterPrisma(name: string, sql: string): string {
  const folder = mkdtempSync(path.join(root, 'prisma-'));
  cpSync(path.join(appFolder, 'prisma'), folder, { recursive: true });
  mkdirSync(path.join(folder, 'migrations', name));
  writeFileSync(path.join(folder, 'migrations', name, 'migration.sql'), sql);
  return folder;
}

async function systemStore<T>(cluster: PostgresCluster, work: (store: ReturnType<typeof openStore>) => Promise<T>) {
  const store = openStore(cluster.url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const namesOf = (cluster: PostgresCluster) =>
  systemStore(cluster, async (store) =>
    (await store.pool.query('SELECT name FROM "Project"')).rows.map((row) => row.name),
  );

const silent = { say: () => undefined };

test('nothing is copied when there is nothing to migrate, or nothing to lose', async () => {
  const current = await open(dataFolder());
  await startWithBackup(current, silent);
  expect(await namesOf(current)).toEqual(['Mine']);
  expect(existsSync(current.backups)).toBe(false);
  const fresh = await open(path.join(root, 'fresh'));
  await startWithBackup(fresh, silent);
  await prepareDatabase(fresh.url);
  await fresh.stop();
  await startWithBackup(fresh, { ...silent, prismaFolder: laterPrisma('29990101000000_later', 'SELECT 1;') });
  expect(existsSync(fresh.backups)).toBe(false);
});

test('a backup is made before a migration, and restored by hand it has everything', async () => {
  const data = dataFolder();
  const cluster = await open(data);
  const said: string[] = [];
  const prismaFolder = laterPrisma('29990101000000_broken', 'DROP TABLE "Project" CASCADE;');
  await startWithBackup(cluster, { say: (line) => said.push(line), prismaFolder });
  const [backup = ''] = listBackups(cluster.backups);
  expect(backup).toMatch(/^\d{8}T\d{6}Z-before-29990101000000_broken$/);
  expect(said).toEqual([`The database is brought up to date. Its backup is in ${path.join(cluster.backups, backup)}.`]);
  expect(await namesOf(cluster)).toEqual(['Mine']);
  await migrate(cluster.url, prismaFolder);
  await expect(namesOf(cluster)).rejects.toThrow(/Project/);
  await cluster.stop();

  // As docs/data.md says, with the password lost on top.
  const postgres = path.join(data, 'postgres');
  execFileSync('mv', ['18', '18.broken'], { cwd: postgres });
  execFileSync('cp', ['-R', path.join('backups', backup), '18'], { cwd: postgres });
  rmSync(path.join(postgres, 'connection.json'));
  const restored = await open(data);
  await restored.start();
  expect(await namesOf(restored)).toEqual(['Mine']);
  expect(await systemStore(restored, (store) => store.prisma.project.findMany())).toHaveLength(1);
});

test('the two latest backups are kept, unfinished ones are not, and what is not ours stays', async () => {
  const cluster = await open(dataFolder());
  const names = [
    '20250101T000000Z-before-a',
    '20250201T000000Z-before-b',
    '20250301T000000Z-before-c.draft',
    'my own copy',
    'another.draft',
  ];
  for (const name of names) mkdirSync(path.join(cluster.backups, name), { recursive: true });
  await startWithBackup(cluster, { ...silent, prismaFolder: laterPrisma('29990101000000_d', 'SELECT 1;') });
  expect(readdirSync(cluster.backups).sort()).toEqual([
    '20250201T000000Z-before-b',
    expect.stringMatching(/Z-before-29990101000000_d$/),
    'another.draft',
    'my own copy',
  ]);
});

test('a migration that a crash cut off ends no process, and the backup undoes what it left', async () => {
  const data = dataFolder();
  const cluster = await open(data);
  const name = '29990101000000_slow';
  const prismaFolder = laterPrisma(name, 'CREATE TABLE half (n int);\nSELECT pg_sleep(600);');
  await startWithBackup(cluster, { ...silent, prismaFolder });
  const cutOff = expect(migrate(cluster.url, prismaFolder)).rejects.toThrow();
  await systemStore(cluster, async (store) => {
    const sleeping = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()`;
    while ((await store.pool.query(sleeping)).rowCount === 0);
  });
  await cluster.stop();
  await cutOff;
  // A start does not make another backup, of the half: it would push out the good one.
  await startWithBackup(cluster, { ...silent, prismaFolder });
  expect(listBackups(cluster.backups)).toEqual([expect.stringMatching(`before-${name}$`)]);
  await expect(migrate(cluster.url, prismaFolder)).rejects.toThrow(/failed migrations/);
  await cluster.stop();

  const [backup = ''] = listBackups(cluster.backups);
  renameSync(cluster.folder, `${cluster.folder}.broken`);
  cpSync(path.join(cluster.backups, backup), cluster.folder, { recursive: true });
  await startWithBackup(cluster, silent);
  expect(await namesOf(cluster)).toEqual(['Mine']);
  expect(await migrate(cluster.url, laterPrisma(name, 'SELECT 1;'))).toEqual([name]);
});

test('without room for the backup the database is not migrated, and stays as it is', async (context) => {
  const disk = smallDisk(context, 110 * 1024);
  const data = path.join(disk.folder, 'data');
  cpSync(template, data, { recursive: true });
  const cluster = await open(data);
  const prismaFolder = laterPrisma('29990101000000_later', 'SELECT 1;');
  await expect(startWithBackup(cluster, { ...silent, prismaFolder })).rejects.toThrow(
    /has to be brought up to date, and a backup is made first\. It needs [\d,]+ MB; the disk has [\d,]+ MB free\./,
  );
  expect(listBackups(cluster.backups)).toEqual([]);
  await startWithBackup(cluster, silent);
  expect(await namesOf(cluster)).toEqual(['Mine']);
});
