import { setTimeout as wait } from 'node:timers/promises';
import type { EventSink } from '@/lib/runtime/ports';
import { callboardRound } from './callboard-round';
import { startFakeServer } from './fake-server';
import { heapBytes, median } from './figures';
import { inMemoryRound } from './in-memory';
import { rawRound } from './raw-loop';

const made = 2_000;
const rounds = 9;
const live = 500;
const answerMs = 1_500;

/** What one instance costs to make and to keep, beside what a bare one does. */
export async function benchInstances(): Promise<void> {
  console.log(`\nInstances: ${made} made at once, up to their first model call (goal ≤ 20 µs, ≤ 8 KiB)`);
  console.log('                                        CPU       heap');
  for (const [name, make] of [
    ['floor: an object, a closure, a wait', makeBare],
    ['agent instance', makeInstances],
  ] as const) {
    await make();
    const all = [];
    for (let n = 0; n < rounds; n += 1) all.push(await make());
    print(name, `${median(all.map(({ us }) => us)).toFixed(1)} µs`, median(all.map(({ bytes }) => bytes)));
  }

  console.log(`\nLive children: ${live} that wait for an answer over HTTP (goal ≤ 80 KiB)`);
  const server = await startFakeServer({ children: live, toolCalls: 0, delayMs: answerMs });
  try {
    print('raw loop', '', await liveHeap(() => rawRound(server.url, live, 0)));
    print('ours, every event kept', '', await liveHeap(() => callboardRound(server.url)));
  } finally {
    server.stop();
  }
}

interface Made {
  readonly us: number;
  readonly bytes: number;
}

/** From the answer that asks for them to the last one's first model call. Events are dropped, as after they are stored. */
async function makeInstances(): Promise<Made> {
  const before = heapBytes();
  let begun = process.cpuUsage();
  let us = 0;
  let waiting = 0;
  let bytes = 0;
  const gate = closedGate();
  const events: EventSink = { append: () => {}, flush: () => Promise.resolve() };
  await inMemoryRound({ children: made, toolCalls: 0 }, events, {
    onModel({ agentName, messages }) {
      if (agentName === 'lead') {
        if (messages.length === 1) begun = process.cpuUsage();
        return undefined;
      }
      waiting += 1;
      if (waiting === made) {
        us = cpuUs(begun) / made;
        bytes = (heapBytes() - before) / made;
        gate.open();
      }
      return gate.opened;
    },
  });
  return { us, bytes };
}

/** The least that anything can be that has a conversation and waits for something. */
async function makeBare(): Promise<Made> {
  const before = heapBytes();
  const begun = process.cpuUsage();
  const gate = closedGate();
  const all = Array.from({ length: made }, async (_, n) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: `Item ${n}` }] }];
    const next = () => messages.length;
    await gate.opened;
    return next();
  });
  const us = cpuUs(begun) / made;
  const bytes = (heapBytes() - before) / made;
  gate.open();
  await Promise.all(all);
  return { us, bytes };
}

/** Heap and buffers a child while all of them wait: half an answer's time after the lead was answered. */
async function liveHeap(round: () => Promise<unknown>): Promise<number> {
  await round();
  // The sockets of the round before are closed by then.
  await wait(answerMs);
  const before = heapBytes();
  const running = round();
  await wait(1.6 * answerMs);
  const bytes = (heapBytes() - before) / live;
  await running;
  return bytes;
}

function closedGate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function cpuUs(begun: NodeJS.CpuUsage): number {
  const used = process.cpuUsage(begun);
  return used.user + used.system;
}

function print(name: string, time: string, bytes: number): void {
  console.log(`${name.padEnd(36)} ${time.padStart(9)} ${`${(bytes / 1_024).toFixed(1)} KiB`.padStart(10)}`);
}
