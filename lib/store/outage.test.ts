import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { systemClock } from '@/lib/jobs/system-clock';
import { afterOutage, type OwnPostgres, ownPostgres } from '@/lib/testing/own-postgres';
import { smallDisk } from '@/lib/testing/small-disk';
import { logged, storedRun, taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { readAllEvents } from './events';
import { isOutage, outageOf } from './outage';
import { findProjectPage } from './project-pages';
import { insertProject } from './projects';

const failure = (fields: object, message = '') => Object.assign(new Error(message), fields);
const wrapped = (code: string, cause: object) => failure({ code, meta: { driverAdapterError: { cause } } });

test.each([
  ['a refused connection', failure({ code: 'ECONNREFUSED', syscall: 'connect' }), 'unreachable'],
  ['a missing socket', failure({ code: 'ENOENT', syscall: 'connect' }), 'unreachable'],
  ['a missing file', failure({ code: 'ENOENT', syscall: 'open' }), undefined],
  ['every address refused', new AggregateError([failure({ code: 'ECONNREFUSED' })]), 'unreachable'],
  ['a server that stops', failure({ code: '57P01' }), 'unreachable'],
  ['a server that crashed', failure({ code: '57P02' }), 'unreachable'],
  ['a server that starts', failure({ code: '57P03' }), 'unreachable'],
  ['a failed connection', failure({ code: '08006' }), 'unreachable'],
  ['a cancelled statement', failure({ code: '57014' }), undefined],
  ['a cut connection', failure({}, 'Connection terminated unexpectedly'), 'unreachable'],
  ['no connection in time', failure({}, 'timeout exceeded when trying to connect'), 'unreachable'],
  ['no memory', failure({ code: '53200' }), 'overloaded'],
  ['no connections left', failure({ code: '53300' }), 'overloaded'],
  ['a full disk of the server', failure({ code: '53100' }), 'disk_full'],
  ['a full disk of ours', failure({ code: 'ENOSPC', syscall: 'write' }), 'disk_full'],
  ['Prisma: not reachable', failure({ code: 'P1001' }), 'unreachable'],
  ['Prisma: closed', failure({ code: 'P1017' }), 'unreachable'],
  ['Prisma: no connection in time', failure({ code: 'P2024' }), 'overloaded'],
  ['Prisma: a server that starts', wrapped('P2039', { originalCode: '57P03', kind: 'postgres' }), 'unreachable'],
  ['Prisma: a full disk', wrapped('P2039', { originalCode: '53100', kind: 'postgres' }), 'disk_full'],
  ['Prisma: raw, not reachable', wrapped('P2010', { kind: 'DatabaseNotReachable' }), 'unreachable'],
  ['Prisma: a broken rule', wrapped('P2002', { originalCode: '23505', kind: 'UniqueConstraintViolation' }), undefined],
  ['a cause', new Error('outer', { cause: failure({ code: '53100' }) }), 'disk_full'],
  ['a bug', new TypeError('x is not a function'), undefined],
  ['no error', '57P03', undefined],
])('%s', (_what, error, expected) => {
  expect(outageOf(error)).toBe(expected);
});

function scratch(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'callboard-outage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every way in which the product talks to the database, over and over, until stopped; returns the errors that were no outage. */
function load({ store }: OwnPostgres) {
  const bugs: unknown[] = [];
  let outages = 0;
  let stopped = false;
  const ways: readonly (() => Promise<unknown>)[] = [
    () => insertProject(store, 'p', folderOf({ 'a.md': String(Math.random()) })),
    () => findProjectPage(store, { scope: 'all', limit: 1 }),
    () => store.prisma.$transaction(async (tx) => [await tx.project.count(), await tx.project.count()]),
    () => store.prisma.$executeRaw`UPDATE "Project" SET name = name`,
    () => store.pool.query('SELECT pg_sleep(0.01)'),
    async () => {
      const connection = await store.pool.connect();
      try {
        await connection.query('BEGIN');
        // Nothing is asked meanwhile: the connection breaks while it is lent out and idle.
        await systemClock.sleep(5);
        await connection.query('COMMIT');
      } finally {
        connection.release(true);
      }
    },
  ];
  const loops = ways.map(async (work) => {
    while (!stopped) {
      try {
        await work();
      } catch (error) {
        if (isOutage(error)) outages += 1;
        else bugs.push(error);
      }
      await systemClock.sleep(2);
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
      return { bugs, outages };
    },
  };
}

test('a server that is stopped, crashes or is killed under load is an outage in every word it says', async () => {
  const postgres = await ownPostgres(scratch());
  const running = load(postgres);
  const keep = () => afterOutage(() => insertProject(postgres.store, 'kept', folderOf({ 'a.md': 'kept' })));
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL', 'SIGINT', 'SIGKILL'] as const) {
    await keep();
    await postgres.end(signal);
  }
  await keep();
  const { bugs, outages } = await running.stop();
  expect(bugs).toEqual([]);
  expect(outages).toBeGreaterThan(0);
});

test('on a full disk a run waits with its events, and none is lost when there is room again', async (context) => {
  const disk = smallDisk(context, 160 * 1024);
  const postgres = await ownPostgres(disk.folder);
  const { store } = postgres;
  const runId = await storedRun(store);
  const run = await taken(store, runId, 'a');
  const losses: string[] = [];
  const writer = createEventWriter(store, runId, {
    startSeq: run.lastSeq,
    epoch: run.epoch,
    clock: systemClock,
    onLost: (reason) => losses.push(reason),
  });
  disk.fill();
  const outages = new Set<unknown>();
  // Postgres has some room left in its own files: it is used up until the disk is felt.
  for (let tries = 0; tries < 500 && outages.size === 0; tries += 1) {
    const folder = folderOf({ 'a.md': randomBytes(200_000).toString('hex') });
    await insertProject(store, 'big', folder).catch((error: unknown) => outages.add(outageOf(error)));
  }
  expect([...outages]).not.toContain(undefined);
  expect(outages.size).toBe(1);
  for (let index = 0; index < 300; index += 1) writer.append(logged(randomBytes(10_000).toString('hex')));
  const flushed = writer.flush();
  disk.free();
  await flushed;
  expect(losses).toEqual([]);
  const seqs = (await afterOutage(() => readAllEvents(store, runId))).map((event) => event.seq);
  expect(seqs).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
});
