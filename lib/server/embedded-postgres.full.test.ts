import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleForNode } from '@/lib/testing/bundle-for-node';
import { openPostgres, type PostgresCluster } from './embedded-postgres';
import { findServersOf } from './postgres-process';

const root = mkdtempSync(path.join(tmpdir(), 'callboard with space '));
const template = path.join(root, 'template');

beforeAll(async () => {
  const cluster = await openPostgres(template);
  await cluster.start();
  await ask(cluster.url, 'CREATE TABLE kept AS SELECT 1 AS n');
  await cluster.stop();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;

/** A data folder of its own with a stopped cluster, whose table `kept` has one row. */
function dataFolder(): { readonly data: string; readonly cluster: string; readonly settings: string } {
  folders += 1;
  const data = path.join(root, `data ${folders}`);
  cpSync(template, data, { recursive: true, preserveTimestamps: true });
  return {
    data,
    cluster: path.join(data, 'postgres', '18'),
    settings: path.join(data, 'postgres', 'connection.json'),
  };
}

async function open(data: string): Promise<PostgresCluster> {
  const cluster = await openPostgres(data);
  onTestFinished(() => cluster.stop());
  return cluster;
}

/** Starts the database of a data folder and reads what was in it. */
async function kept(data: string): Promise<readonly unknown[]> {
  const cluster = await open(data);
  await cluster.start();
  return await ask(cluster.url, 'SELECT n FROM kept');
}

async function ask<T>(url: string, sql: string): Promise<readonly T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

/** Every file below a folder with its size, so that "nothing was changed" can be compared. */
function contentOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => `${path.relative(folder, file)} ${statSync(file).size}`)
    .sort();
}

test('a server that was killed, or left running, does not stand in the way of the next', async () => {
  const { data } = dataFolder();
  const first = await open(data);
  const killed = await first.start();
  await ask(first.url, 'INSERT INTO kept VALUES (2)');
  const gone = new Promise((resolve) => killed.once('exit', resolve));
  process.kill(Number.parseInt(readFileSync(first.pidFile, 'utf8'), 10), 'SIGKILL');
  await gone;

  const second = await open(data);
  const left = await second.start();
  expect(await ask(second.url, 'SELECT n FROM kept ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);

  const leftIsGone = new Promise((resolve) => left.once('exit', resolve));
  const third = await open(data);
  await leftIsGone;
  await third.start();
  expect(await ask(third.url, 'SELECT n FROM kept ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
  expect(third.url).toBe(first.url);
});

test('only its owner can read the password, and only with it can one connect', async () => {
  const { data, settings } = dataFolder();
  const cluster = await open(data);
  await cluster.start();
  expect(statSync(settings).mode & 0o077).toBe(0);
  expect(readdirSync(path.join(data, 'postgres'))).not.toContain('password');
  const wrong = new URL(cluster.url);
  wrong.password = 'guess';
  await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow(/password/);
});

test('settings that did not change are not written', async () => {
  const { data, settings } = dataFolder();
  const before = statSync(settings);
  await open(data);
  expect(statSync(settings).ino).toBe(before.ino);
  expect(statSync(settings).mtimeMs).toBe(before.mtimeMs);
});

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => writeFileSync(file, '')],
  ['half-written', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 30))],
  ['garbage', (file: string) => writeFileSync(file, '\0\0\0\0')],
  ['of another shape', (file: string) => writeFileSync(file, '{"port": "5432", "password": ""}')],
])('settings that are %s cost nothing but a new password', async (_kind, spoil) => {
  const { data, settings } = dataFolder();
  const before = readFileSync(settings, 'utf8');
  spoil(settings);
  expect(await kept(data)).toEqual([{ n: 1 }]);
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
    password: expect.stringMatching(/^[0-9a-f]{48}$/),
    port: expect.any(Number),
  });
  expect(readFileSync(settings, 'utf8')).not.toBe(before);
});

test('settings that are lost while the old server still runs cost nothing either', async () => {
  const { data, settings } = dataFolder();
  const first = await open(data);
  await first.start();
  rmSync(settings);
  expect(await kept(data)).toEqual([{ n: 1 }]);
});

test('a password that the database refuses is set anew', async () => {
  const { data, settings } = dataFolder();
  const { port } = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ password: '0123456789abcdef0123', port }));
  expect(await kept(data)).toEqual([{ n: 1 }]);
});

test.each(['PG_VERSION', 'global/pg_control', 'pg_wal', 'pg_hba.conf'])(
  'a cluster without %s is refused with a sentence, and stays as it is',
  async (name) => {
    const { data, cluster, settings } = dataFolder();
    renameSync(path.join(cluster, name), path.join(root, `away ${folders}`));
    rmSync(settings);
    const before = contentOf(data);
    await expect(openPostgres(data)).rejects.toThrow(
      `The database in ${cluster} is damaged: it has no ${name}. Nothing was changed. There is no backup in ` +
        `${path.join(data, 'postgres', 'backups')}. Keep a copy`,
    );
    expect(contentOf(data)).toEqual(before);
  },
);

test('a damaged cluster is refused with the way back to the latest backup', async () => {
  const { data, cluster } = dataFolder();
  const backups = path.join(data, 'postgres', 'backups');
  for (const name of ['20260101T000000Z-a', '20260301T000000Z-b', '20260201T000000Z-c', '20260401T000000Z-d.draft']) {
    mkdirSync(path.join(backups, name), { recursive: true });
  }
  writeFileSync(path.join(cluster, 'PG_VERSION'), '');
  await expect(openPostgres(data)).rejects.toThrow(
    `its file PG_VERSION has no version. Nothing was changed. The latest backup is ` +
      `${path.join(backups, '20260301T000000Z-b')}. To go back to it, move ${cluster} away and copy the backup to that name`,
  );
});

test('a cluster of another Postgres is refused with a sentence, under whatever name it lies', async () => {
  const { data, cluster } = dataFolder();
  writeFileSync(path.join(cluster, 'PG_VERSION'), '17\n');
  await expect(openPostgres(data)).rejects.toThrow(
    `The database in ${cluster} was made by Postgres 17; this Callboard`,
  );
  const elsewhere = path.join(data, 'postgres', '17');
  renameSync(cluster, elsewhere);
  await expect(openPostgres(data)).rejects.toThrow(`The database in ${elsewhere} was made by Postgres 17; this`);
  expect(existsSync(cluster)).toBe(false);
});

test('what certainly is no cluster, or was never finished, is moved aside', async () => {
  const { data, cluster } = dataFolder();
  rmSync(cluster, { recursive: true });
  mkdirSync(cluster);
  writeFileSync(path.join(cluster, 'notes.txt'), 'mine');
  mkdirSync(`${cluster}.new`);
  writeFileSync(path.join(`${cluster}.new`, 'PG_VERSION'), '18\n');
  const opened = await open(data);
  await opened.start();
  const names = readdirSync(path.dirname(cluster)).sort();
  expect(names).toEqual([
    '18',
    expect.stringMatching(/^18\.new\.unfinished-\d{8}T\d{6}Z$/),
    expect.stringMatching(/^18\.no-database-\d{8}T\d{6}Z$/),
    'connection.json',
  ]);
  expect(readFileSync(path.join(path.dirname(cluster), names[2] ?? '', 'notes.txt'), 'utf8')).toBe('mine');
});

test('a database that does not start says what Postgres said, and nothing is removed', async () => {
  const { data, cluster } = dataFolder();
  writeFileSync(path.join(cluster, 'global', 'pg_control'), 'x'.repeat(8192));
  const before = contentOf(cluster);
  const opened = await open(data);
  await expect(opened.start()).rejects.toThrow(/ended while it was starting[\s\S]*pg_control[\s\S]*no backup in/i);
  expect(contentOf(cluster)).toEqual(before);
});

test.runIf(process.platform !== 'win32')('a cluster of another account is refused with a sentence', async () => {
  const { data, cluster } = dataFolder();
  // Root gives the folder away; anybody else is asked to imagine a folder that may not be read.
  if (process.getuid?.() === 0) {
    chownSync(cluster, 12_345, 12_345);
    await expect(openPostgres(data)).rejects.toThrow(
      `The database in ${cluster} belongs to another account (number 12345`,
    );
  } else {
    chmodSync(cluster, 0o000);
    onTestFinished(() => chmodSync(cluster, 0o700));
    await expect(openPostgres(data)).rejects.toThrow(`The database in ${cluster} cannot be read (EACCES`);
  }
});

test.runIf(process.getuid?.() === 0)('an account that may not look is told so, and changes nothing', async () => {
  const place = mkdtempSync('/tmp/callboard-access-');
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  chmodSync(place, 0o755);
  const cluster = path.join(place, 'closed', '18');
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(cluster, 'PG_VERSION'), '18\n');
  chmodSync(path.join(place, 'closed'), 0o700);
  const script = await bundleForNode(
    `import { prepareClusterFolder } from './lib/server/cluster-folder';
     const cluster = process.argv[2];
     try { console.log(prepareClusterFolder({ cluster, majorVersion: '18', uid: 65534, backups: cluster + '/../backups' })); }
     catch (error) { console.log(error.message); }`,
    place,
  );
  const { stdout } = spawnSync(process.execPath, [script, cluster], { encoding: 'utf8', uid: 65_534, gid: 65_534 });
  expect(stdout).toMatch(/^The database in \S+ cannot be read \(EACCES.*Start Callboard as the account/);
  expect(readdirSync(cluster)).toEqual(['PG_VERSION']);
});

test('a copy that others may read, as a plain copy of a backup is, starts all the same', async () => {
  const { data, cluster } = dataFolder();
  chmodSync(cluster, 0o755);
  expect(await kept(data)).toEqual([{ n: 1 }]);
});

test.each([
  ['empty', ''],
  ['garbage', '\0\0callboard postgres\n'],
  ['negative', '-1\n'],
  ['process 1', `1\n/data\n`],
  ['this very program', `${process.pid}\n/data\n`],
  ['a number beyond all', '99999999999999\n'],
])('a pid file that is %s blocks no start', async (_kind, content) => {
  const { data, cluster } = dataFolder();
  writeFileSync(path.join(cluster, 'postmaster.pid'), content);
  expect(await kept(data)).toEqual([{ n: 1 }]);
});

test('a pid file that names the Postgres of another cluster blocks no start and ends nobody', async () => {
  const other = dataFolder();
  const neighbour = await open(other.data);
  await neighbour.start();
  const { data, cluster } = dataFolder();
  cpSync(neighbour.pidFile, path.join(cluster, 'postmaster.pid'));
  expect(await kept(data)).toEqual([{ n: 1 }]);
  expect(await ask(neighbour.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
});

test('a pid file that names a program with our words in its command line is not that program’s end', async () => {
  const { data, cluster } = dataFolder();
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'postgres', '-D', cluster], {
    cwd: cluster,
  });
  onTestFinished(() => void bystander.kill('SIGKILL'));
  writeFileSync(path.join(cluster, 'postmaster.pid'), `${bystander.pid}\n${cluster}\n`);
  expect(await kept(data)).toEqual([{ n: 1 }]);
  expect(bystander.exitCode).toBeNull();
  expect(bystander.signalCode).toBeNull();
});

test.runIf(process.platform === 'linux')('a live server is found and stopped though its pid file is gone', async () => {
  const { data, cluster } = dataFolder();
  const first = await open(data);
  const left = await first.start();
  const gone = new Promise((resolve) => left.once('exit', resolve));
  writeFileSync(first.pidFile, 'garbage');
  expect(findServersOf(cluster)).toHaveLength(1);
  expect(await kept(data)).toEqual([{ n: 1 }]);
  await gone;
});
