import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Client } from 'pg';
import { afterAll, inject } from 'vitest';
import { openStore, type Store } from '@/lib/store/database';
import { type EmptyDatabase, emptiable } from './empty-database';

export interface TestDatabase {
  readonly url: string;
  readonly store: Store;
}

/** The database of this process, which its test files use one after the other. */
let shared: Promise<EmptyDatabase> | undefined;
let inUse = false;

/**
 * Returns a migrated database without rows, for one test file. Call it at the top of a file or in `beforeAll`. The next file gets
 * the same database, emptied. A test that changes the schema, reads plans, or breaks connections takes `ownDatabase` instead.
 */
export async function testDatabase(): Promise<TestDatabase> {
  if (inUse) throw new Error('This file has the shared database already. Take another with ownDatabase.');
  inUse = true;
  shared ??= cloneTemplate().then(emptiable);
  const { url, empty } = await shared;
  await empty();
  const store = openStore(url);
  afterAll(async () => {
    inUse = false;
    await store.close();
  });
  return { url, store };
}

/** Makes a migrated database for one test file. It is dropped after the tests of the file. */
export async function ownDatabase(): Promise<TestDatabase> {
  const url = await cloneTemplate();
  const store = openStore(url);
  afterAll(async () => {
    await store.close();
    await drop(url);
  });
  return { url, store };
}

/** Makes a database without tables and without connections, on the server of another. It is dropped after the tests of the file. */
export async function emptyDatabase(besides: string): Promise<string> {
  const server = new URL(besides);
  const name = newName();
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = withDatabase(server, name);
  afterAll(() => drop(url));
  return url;
}

/** Breaks every connection to the database, like a restart of the server. */
export async function dropConnections(url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1);
  await onServer(new URL(url), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
}

async function cloneTemplate(): Promise<string> {
  const template = new URL(await askForServer());
  const name = newName();
  await onServer(template, `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} STRATEGY file_copy`);
  return withDatabase(template, name);
}

async function drop(url: string): Promise<void> {
  await onServer(new URL(url), `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

function newName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
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
