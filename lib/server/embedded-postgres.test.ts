import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openPostgres } from './embedded-postgres';

const data = mkdtempSync(path.join(tmpdir(), 'callboard with space '));
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function ask<T>(url: string, sql: string): Promise<readonly T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

test('a server that was killed, or left running, does not stand in the way of the next', {
  timeout: 60_000,
}, async () => {
  const first = await openPostgres(data);
  const killed = first.spawn();
  await first.ready(killed);
  await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
  const gone = new Promise((resolve) => killed.once('exit', resolve));
  process.kill(Number.parseInt(readFileSync(first.pidFile, 'utf8'), 10), 'SIGKILL');
  await gone;

  const second = await openPostgres(data);
  await second.clear();
  const left = second.spawn();
  await second.ready(left);
  expect(await ask(second.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);

  const leftIsGone = new Promise((resolve) => left.once('exit', resolve));
  const third = await openPostgres(data);
  await leftIsGone;
  const again = third.spawn();
  await third.ready(again);
  expect(await ask(third.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  expect(third.url).toBe(first.url);
  await third.clear();
});

test('only its owner can read the password, and only with it can one connect', { timeout: 60_000 }, async () => {
  const cluster = await openPostgres(data);
  const server = cluster.spawn();
  await cluster.ready(server);
  expect(statSync(path.join(data, 'postgres', 'connection.json')).mode & 0o077).toBe(0);
  expect(readdirSync(path.join(data, 'postgres'))).not.toContain('password');
  const wrong = new URL(cluster.url);
  wrong.password = 'guess';
  await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow(/password/);
  await cluster.clear();
});
