import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Client } from 'pg';
import { afterAll, inject } from 'vitest';
import { openStore, type Store } from '@/lib/store/database';

/**
 * Makes a migrated database for one test file, on the Postgres of the test run. Call it at the top of a file or in
 * `beforeAll`. The database is dropped after the tests of the file.
 */
export async function testDatabase(): Promise<{ readonly url: string; readonly store: Store }> {
  const template = new URL(await askForServer());
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(template, `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} STRATEGY file_copy`);
  const url = withDatabase(template, name);
  const store = openStore(url);
  afterAll(async () => {
    await store.close();
    await onServer(template, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, store };
}

/** Makes a database without tables and without connections, on the server of another. It is dropped after the tests of the file. */
export async function emptyDatabase(besides: string): Promise<string> {
  const server = new URL(besides);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  afterAll(() => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`));
  return withDatabase(server, name);
}

/** Breaks every connection to the database, like a restart of the server. */
export async function dropConnections(url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1);
  await onServer(new URL(url), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
}

/**
 * Runs SQL while connected to another database, because a template database must not have connections while it is copied.
 */
async function onServer(server: URL, sql: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase(server, 'postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function withDatabase(server: URL, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

function askForServer(): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(inject('postgresPort'), '127.0.0.1');
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      if (answer.startsWith('postgresql://')) resolve(answer);
      else reject(new Error(`No test database: ${answer}`));
    });
  });
}
