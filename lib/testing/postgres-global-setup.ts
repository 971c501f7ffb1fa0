import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '@/lib/server/embedded-postgres';
import { prepareDatabase } from '@/lib/server/prepare-database';

declare module 'vitest' {
  interface ProvidedContext {
    /** A connection to this port receives the address of the test database server as text. */
    postgresPort: number;
  }
}

interface Door {
  readonly port: number;
  close(): Promise<void>;
}

/** On `globalThis`, because each project of the configuration loads this module again. They share one server. */
const holder: { testPostgres?: { readonly door: Promise<Door>; users: number } | undefined } = globalThis as never;

/** Starts a Postgres when the first test asks for one, and removes it at the end of the test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  holder.testPostgres ??= { door: openDoor(), users: 0 };
  const shared = holder.testPostgres;
  shared.users += 1;
  const door = await shared.door;
  project.provide('postgresPort', door.port);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    holder.testPostgres = undefined;
    await door.close();
  };
}

async function openDoor(): Promise<Door> {
  let starting: Promise<{ readonly url: string; stop(): Promise<void> }> | undefined;
  const server = createServer((socket) => {
    starting ??= startServer();
    starting.then(
      ({ url }) => socket.end(url),
      (error: Error) => socket.end(`error: ${error.message}`),
    );
  });
  return {
    port: await listen(server),
    async close() {
      server.close();
      const postgres = await starting?.catch(() => undefined);
      await postgres?.stop();
    },
  };
}

async function startServer() {
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-test-'));
  const cluster = await openPostgres(folder, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' });
  await cluster.start();
  await prepareDatabase(cluster.url);
  return {
    url: cluster.url,
    async stop() {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
