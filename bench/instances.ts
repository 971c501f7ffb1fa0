import { setTimeout as wait } from 'node:timers/promises';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import { callboardRound } from './callboard-round';
import { startFakeServer } from './fake-server';
import { heapBytes, median } from './figures';
import { inMemoryRound } from './in-memory';
import { rawRound } from './raw-loop';

const made = 2_000;
const rounds = 9;
const live = 500;
const answerMs = 1_500;

/** Measures time and memory of creating and keeping one instance. The reference is a bare object that waits. */
export async function benchInstances(): Promise<void> {
  console.log(`\nInstances: ${made} made at once by one answer (goal ≤ 20 µs, ≤ 8 KiB)`);
  console.log('                                          wall        CPU       heap');
  for (const [name, make] of [
    ['floor: an object, a closure, a wait', makeBare],
    ['agent instance, until it has begun', () => makeInstances('begun')],
    ['until it asks its model', () => makeInstances('asked')],
  ] as const) {
    await make();
    const all: Made[] = [];
    for (let n = 0; n < rounds; n += 1) all.push(await make());
    const [wallUs, cpu] = [median(all.map((one) => one.wallUs)), median(all.map((one) => one.cpuUs))];
    print(name, `${wallUs.toFixed(1)} µs`, `${cpu.toFixed(1)} µs`, median(all.map(({ bytes }) => bytes)));
  }

  console.log(`\nLive children: ${live} that wait for an answer over HTTP (goal ≤ 80 KiB)`);
  const server = await startFakeServer({ children: live, toolCalls: 0, delayMs: answerMs });
  try {
    print('raw loop', '', '', await liveHeap(() => rawRound(server.url, live, 0)));
    print('ours, every event kept', '', '', await liveHeap(() => callboardRound(server.url)));
  } finally {
    server.stop();
  }
}

interface Made {
  readonly wallUs: number;
  readonly cpuUs: number;
  readonly bytes: number;
}

/**
 * Measures from the answer that requests the instances until the last one has begun, or has called its model for the first time.
 * Events are dropped, like stored ones.
 */
async function makeInstances(until: 'begun' | 'asked'): Promise<Made> {
  const before = heapBytes();
  let begun = { cpu: process.cpuUsage(), at: performance.now() };
  let result: Made | undefined;
  let counted = 0;
  const gate = closedGate();
  const count = () => {
    counted += 1;
    if (counted !== made) return;
    const times = { wallUs: ((performance.now() - begun.at) * 1_000) / made, cpuUs: cpuUs(begun.cpu) / made };
    result = { ...times, bytes: (heapBytes() - before) / made };
  };
  const events: EventSink = {
    append(event) {
      if (until === 'begun' && event.kind === 'instance.started' && event.path !== 'lead') count();
    },
    flush: () => Promise.resolve(),
  };
  let asking = 0;
  await inMemoryRound({ children: made, toolCalls: 0 }, events, {
    onModel({ agentName, messages }) {
      if (agentName === 'lead') {
        if (messages.length === 1) begun = { cpu: process.cpuUsage(), at: performance.now() };
        return undefined;
      }
      if (until === 'asked') count();
      asking += 1;
      if (asking === made) gate.open();
      return gate.opened;
    },
  });
  if (!result) throw new Error('Not every instance was made.');
  return result;
}

/** Makes the smallest object that has a conversation and waits for a promise. */
async function makeBare(): Promise<Made> {
  const before = heapBytes();
  const begun = { cpu: process.cpuUsage(), at: performance.now() };
  const gate = closedGate();
  const all = Array.from({ length: made }, async (_, n) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: `Item ${n}` }] }];
    const next = () => messages.length;
    await gate.opened;
    return next();
  });
  const times = { wallUs: ((performance.now() - begun.at) * 1_000) / made, cpuUs: cpuUs(begun.cpu) / made };
  const bytes = (heapBytes() - before) / made;
  gate.open();
  await Promise.all(all);
  return { ...times, bytes };
}

/**
 * Returns heap and buffers per child while all children wait. It measures half an answer's time after the lead got its
 * answer.
 */
async function liveHeap(round: () => Promise<unknown>): Promise<number> {
  await round();
  // After this wait the sockets of the previous round are closed.
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

function print(name: string, wall: string, cpu: string, bytes: number): void {
  console.log(
    `${name.padEnd(36)} ${wall.padStart(9)} ${cpu.padStart(10)} ${`${(bytes / 1_024).toFixed(1)} KiB`.padStart(10)}`,
  );
}
