/**
 * Generates large runs for benchmarks and tests. Equal arguments give equal events. Events come one by one in order of time,
 * so that a run of a million spans is never in memory as a whole.
 */
import { brandAs, type EpochMs, type InstancePath, type StepKey } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';

export interface LargeRun {
  /** About how many spans the run has. */
  readonly spans: number;
  /** The number of instances: `lead`, and children that it calls at once. */
  readonly lanes: number;
  readonly seed: number;
}

/** The time of the first event of every generated run, in epoch milliseconds. */
const origin = 1_780_000_000_000;

/** One event of a lane: milliseconds since the start of the run, and the body. */
type Timed = readonly [number, EventBody];

/** Yields a run in which `lead` has its children work at once, each with model calls, tools of all sources and hooks. */
export function* largeRun({ spans, lanes, seed }: LargeRun): Generator<RunEvent> {
  const children = Math.max(lanes - 1, 0);
  const each = Math.max(1, Math.floor(spans / Math.max(children, 1)) - 1);
  const sources: Generator<Timed>[] = [leadEvents(children)];
  for (let n = 1; n <= children; n++) sources.push(childEvents(n, each, randomOf(seed + n)));
  yield* numbered(inOrder(sources));
}

/** Yields a chain of delegations: each instance calls one child, `depth` times. */
export function* deepRun(depth: number): Generator<RunEvent> {
  yield* numbered(deepEvents(depth));
}

/** Yields a run with every fault that a recording may have: no length, a negative length, no end, no start, clocks that differ. */
export function* brokenRun(): Generator<RunEvent> {
  const at = (ms: number) => brandAs<EpochMs>(origin + ms);
  const bodies: readonly Timed[] = [
    [0, began],
    [1, queued('lead')],
    [2, started('lead')],
    [10, modelOn('lead', 1)],
    [10, modelOff('lead', 1)],
    [30, toolOn('lead', 1, 'ends_before_it_starts', 'mcp')],
    [20, toolOff('lead', 1, false, 'early')],
    [40, toolOn('lead', 2, 'never_ends', 'function')],
    [45, toolOff('lead', 3, false, 'never started')],
    [50, toolOn('lead', 4, 'agent__kid', 'agent')],
    [51, queued('lead/kid[1]', 'lead#t4', 1)],
    // The clock of the child's machine is far behind, then far ahead.
    [-5_000, started('lead/kid[1]')],
    [-4_990, modelOn('lead/kid[1]', 1)],
    [9_000, modelOff('lead/kid[1]', 1)],
    [60, modelOn('lost/parent[1]/kid[7]', 1)],
    [61, ended('nobody')],
  ];
  for (const [index, [ms, body]] of bodies.entries()) yield { seq: index + 1, at: at(ms), ...body };
}

function* numbered(events: Iterable<Timed>): Generator<RunEvent> {
  let seq = 0;
  let last = 0;
  for (const [ms, body] of events) {
    seq += 1;
    last = ms;
    yield { seq, at: brandAs<EpochMs>(origin + ms), ...body };
  }
  const finished: EventBody = { kind: 'run.finished', status: 'completed', answer: 'Done.', usage: noUsage };
  yield { seq: seq + 1, at: brandAs<EpochMs>(origin + last + 1), ...finished };
}

/** `lead` calls all its children at once, and waits for them. */
function* leadEvents(children: number): Generator<Timed> {
  yield [0, began];
  yield [0, queued('lead')];
  yield [1, started('lead')];
  yield [2, modelOn('lead', 1)];
  yield [50, modelOff('lead', 1)];
  for (let n = 1; n <= children; n++) yield [60, toolOn('lead', n, 'agent__kid', 'agent')];
}

function* childEvents(n: number, spans: number, random: () => number): Generator<Timed> {
  const path = `lead/kid[${n}]`;
  const call = `lead#t${n}`;
  let at = 61;
  yield [at, queued(path, call, n)];
  at += Math.floor(random() * 2_000);
  yield [at, started(path)];
  let left = spans - 1;
  for (let model = 1, tool = 1; left > 0; model++) {
    yield [at, modelOn(path, model)];
    at += 20 + Math.floor(random() * 400);
    yield [at, modelOff(path, model)];
    left -= 1;
    const together = Math.min(1 + Math.floor(random() * 4), left);
    const steps: Timed[] = [];
    for (let i = 0; i < together; i++, tool++) left -= 1 + callOf(steps, path, tool, at, left, random);
    steps.sort(([a], [b]) => a - b);
    for (const step of steps) yield step;
    at = (steps.at(-1)?.[0] ?? at) + 1;
  }
  const failed = random() < 0.02;
  yield [at, ended(path, failed)];
  yield [at + 1, toolOff('lead', n, failed, 'the child has ended')];
}

const tools = [
  ['maps__distance', 'mcp'],
  ['files__read', 'mcp'],
  ['summarise', 'function'],
  ['set_state', 'runtime'],
] as const;

/** Adds a tool call, and perhaps a hook that wraps it. Returns the number of hooks. */
function callOf(steps: Timed[], path: string, n: number, at: number, left: number, random: () => number): number {
  const [name, source] = tools[Math.floor(random() * tools.length)] ?? tools[0];
  const start = at + Math.floor(random() * 10);
  const end = start + 1 + Math.floor(random() ** 3 * 600);
  const hooked = left > 1 && random() < 0.2;
  const failed = random() < 0.01;
  steps.push([start, toolOn(path, n, name, source)]);
  if (hooked) {
    const step = brandAs<StepKey>(`${path}#t${n}.h1`);
    const whose = { path: brandAs<InstancePath>(path), step };
    steps.push([
      start,
      {
        kind: 'hook.started',
        ...whose,
        attempt: 1,
        hook: 'hooks.ts:audit',
        phase: 'around',
        around: brandAs(`${path}#t${n}`),
      },
    ]);
    steps.push([end, { kind: 'hook.ended', ...whose, changes: [], calledNext: true }]);
  }
  steps.push([
    end,
    toolOff(path, n, failed, random() < 0.001 ? 'a lighthouse keeper' : `${places[n % places.length]} ${n}`),
  ]);
  return hooked ? 1 : 0;
}

const places = ['Oslo', 'Lima', 'Accra', 'Hanoi', 'Quito', 'Perth', 'Turin'];

function* deepEvents(depth: number): Generator<Timed> {
  yield [0, began];
  let path = 'a';
  for (let n = 0; n < depth; n++) {
    const above = path;
    if (n > 0) path = `${path}/a[1]`;
    yield [n, queued(path, n === 0 ? undefined : `${above}#t1`)];
    yield [n, started(path)];
    if (n < depth - 1) yield [n, toolOn(path, 1, 'agent__a', 'agent')];
  }
}

const began: EventBody = {
  kind: 'run.started',
  runId: brandAs('generated'),
  correlationId: brandAs('generated'),
  entryAgent: 'lead',
  message: 'Generated',
  scripted: true,
};

function queued(path: string, parentStep?: string, call?: number): EventBody {
  const cut = path.lastIndexOf('/');
  const instanceName = path.slice(cut + 1);
  return {
    kind: 'instance.queued',
    path: brandAs(path),
    agentName: instanceName.replace(/\[\d+\]$/, ''),
    instanceName,
    parent: cut < 0 ? undefined : brandAs(path.slice(0, cut)),
    correlationId: brandAs(`c${call ?? 0}`),
    parentStep: parentStep === undefined ? undefined : brandAs(parentStep),
    depth: cut < 0 ? 0 : path.split('/').length - 1,
  };
}

function started(path: string): EventBody {
  return { kind: 'instance.started', path: brandAs(path), input: 'Look into it.', model: 'generic' };
}

function ended(path: string, failed = false): EventBody {
  const usage = { ...noUsage, inputTokens: 300, outputTokens: 40, modelCalls: 1 };
  return {
    kind: 'instance.ended',
    path: brandAs(path),
    status: failed ? 'failed' : 'completed',
    answer: 'Done.',
    usage,
    ...(failed && { error: { code: 'model_failed', message: 'The model gave up.' } }),
  };
}

function modelOn(path: string, n: number): EventBody {
  return {
    kind: 'model.started',
    path: brandAs(path),
    step: brandAs(`${path}#m${n}`),
    attempt: 1,
    model: 'generic',
    messageCount: n * 2,
    tools: [],
  };
}

function modelOff(path: string, n: number): EventBody {
  const usage = { ...noUsage, inputTokens: 100 + (n % 50), outputTokens: 20, modelCalls: 1 };
  return { kind: 'model.ended', path: brandAs(path), step: brandAs(`${path}#m${n}`), usage, requests: 1 };
}

function toolOn(
  path: string,
  n: number,
  toolName: string,
  source: 'mcp' | 'function' | 'agent' | 'runtime',
): EventBody {
  return {
    kind: 'tool.started',
    path: brandAs(path),
    step: brandAs(`${path}#t${n}`),
    attempt: 1,
    callId: brandAs(`call-${n}`),
    toolName,
    source,
    ...(source === 'mcp' && { serverName: toolName.slice(0, toolName.indexOf('__')) }),
    arguments: { place: places[n % places.length] ?? '', n },
    correlationId: brandAs('generated'),
  };
}

function toolOff(path: string, n: number, isError: boolean, text: string): EventBody {
  return {
    kind: 'tool.ended',
    path: brandAs(path),
    step: brandAs(`${path}#t${n}`),
    callId: brandAs(`call-${n}`),
    result: { content: [{ type: 'text', text }], isError },
  };
}

/** Merges sources that are each in order of time. The heap has the source with the earliest next event first. */
function* inOrder(sources: readonly Generator<Timed>[]): Generator<Timed> {
  const heap: { at: number; order: number; event: Timed; rest: Generator<Timed> }[] = [];
  const before = (a: number, b: number) => {
    const [left, right] = [heap[a], heap[b]];
    if (left === undefined || right === undefined) return false;
    return left.at < right.at || (left.at === right.at && left.order < right.order);
  };
  const swap = (a: number, b: number) => {
    const [left, right] = [heap[a], heap[b]];
    if (left === undefined || right === undefined) return;
    heap[a] = right;
    heap[b] = left;
  };
  const sink = (from: number) => {
    for (let at = from; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (before(child, least)) least = child;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  for (const [order, rest] of sources.entries()) {
    const next = rest.next();
    if (!next.done) heap.push({ at: next.value[0], order, event: next.value, rest });
  }
  for (let at = heap.length - 1; at >= 0; at--) sink(at);
  for (let top = heap[0]; top !== undefined; top = heap[0]) {
    yield top.event;
    const next = top.rest.next();
    if (next.done) {
      const last = heap.pop();
      if (last !== undefined && last !== top) heap[0] = last;
    } else {
      top.at = next.value[0];
      top.event = next.value;
    }
    sink(0);
  }
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
