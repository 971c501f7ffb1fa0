import { once, setMaxListeners } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import type { RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { openStreamCount } from '@/lib/server/limits/open-streams';
import { openRunStream } from '@/lib/server/run-streams';
import { createEventWriter } from '@/lib/store/event-writer';
import { runEventsChannel } from '@/lib/store/events';
import { openNotifications } from '@/lib/store/notifications';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { finished, logged, storedRun, taken } from '@/lib/testing/stored-run';
import { eventStream } from './event-stream';

const { url, store } = await testDatabase();
const runEvents = openNotifications(url, runEventsChannel);
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const sockets: net.Socket[] = [];
let produced = 0;

const server = http.createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const gone = new AbortController();
  const run = { id: searchParams.get('run') as RunId, after: Number(searchParams.get('after')), signal: gone.signal };
  const parts = openRunStream(
    { store, runEvents },
    { ...run, actor: localActor },
    searchParams.get('view') === 'slim' ? 'slim' : 'full',
  );
  const body = eventStream(counted(parts), () => gone.abort()).body;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (body === null) throw new Error('no body');
  const stream = Readable.fromWeb(body as never);
  stream.pipe(response);
  response.on('close', () => stream.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  await runEvents.close();
});

async function* counted(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) {
    produced += part.length;
    yield part;
  }
}

/** A connection that has asked and reads nothing. */
async function reader(query: string): Promise<net.Socket> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const socket = net.connect(address.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET /?${query} HTTP/1.0\r\n\r\n`);
  return socket;
}

/** Reads to the end and gives the ids of the messages, and how many bytes came. */
async function drain(socket: net.Socket): Promise<{ ids: number[]; bytes: number }> {
  let text = '';
  let bytes = 0;
  const ids: number[] = [];
  for await (const chunk of socket) {
    bytes += chunk.length;
    text += chunk;
    const end = text.lastIndexOf('\n\n');
    if (end === -1) continue;
    for (const [, id] of text.slice(0, end).matchAll(/(?:^|\n\n)id: (\d+)\ndata: \{/g)) ids.push(Number(id));
    // The separator stays: the next message is found by it.
    text = text.slice(end);
  }
  return { ids, bytes };
}

function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Until nothing more is made for anybody. */
async function quiet(): Promise<void> {
  let last = 0;
  const isQuiet = () => {
    const was = last;
    last = produced;
    return was === produced && was > 0;
  };
  await expect.poll(isQuiet, { timeout: 60_000, interval: 300 }).toBe(true);
}

const lines = 4_000;
const lineChars = 4_000;
const large = 3_000_000;

async function largeRun(): Promise<RunId> {
  const id = await storedRun(store);
  const { epoch, lastSeq } = await taken(store, id, 'a');
  const writer = createEventWriter(store, id, {
    startSeq: lastSeq,
    epoch,
    clock: systemClock,
    onLost: () => undefined,
  });
  for (let n = 0; n < lines; n += 1) {
    writer.append(logged(n === lines / 2 ? 'ä'.repeat(large) : `${n} ${'x'.repeat(lineChars)}`));
    if (n % 500 === 0) await writer.flush();
  }
  writer.append(finished);
  await writer.flush();
  return id;
}

test('200 readers that do not read cost little, lose nothing and hold nobody up', { timeout: 180_000 }, async () => {
  const run = await largeRun();
  const whole = Array.from({ length: lines + 1 }, (_, index) => index + 1);

  // So that what each connection needs at first is not counted.
  const first = await Promise.all(Array.from({ length: 200 }, () => reader(`run=${run}&after=${lines + 1}`)));
  await Promise.all(first.map((socket) => drain(socket)));
  const before = memory();
  const slow = await Promise.all(Array.from({ length: 200 }, () => reader(`run=${run}&after=0`)));
  await quiet();
  const perReader = (memory() - before) / 200;
  const fast = await drain(await reader(`run=${run}&after=0`));
  expect(fast.ids).toEqual(whole);
  // What was asked for and not sent: two parts and what a connection holds.
  expect(perReader).toBeLessThan(fast.bytes / 20);
  expect(fast.bytes).toBeGreaterThan(lines * lineChars + 2 * large);
  const slim = await drain(await reader(`run=${run}&after=0&view=slim`));
  expect(slim.ids).toEqual([]);
  expect(slim.bytes).toBeLessThan(4_000_000);

  for (const socket of slow.slice(0, 4)) expect((await drain(socket)).ids).toEqual(whole);
  // Who goes without having read anything leaves nothing behind.
  for (const socket of slow.slice(4)) socket.destroy();
  const after = await drain(await reader(`run=${run}&after=${lines}`));
  expect(after.ids).toEqual([lines + 1]);
});

test('beyond 400 streams of one person a further one is told so, until some have ended', async () => {
  for (const socket of sockets) socket.destroy();
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  const run = { actor: localActor, id: await storedRun(store), after: 0, signal: gone.signal };
  const ends: Promise<unknown>[] = [];
  const more = () => ends.push(openRunStream({ store, runEvents }, run, 'slim').next());
  expect(() => {
    for (let opened = 0; opened <= 400; opened += 1) more();
  }).toThrow(/400 streams of events are open here, and no more can be/);
  gone.abort();
  await Promise.all(ends);
  // Those whose reader went end by themselves; then all places are free.
  await expect.poll(() => openStreamCount()).toBe(0);
});
