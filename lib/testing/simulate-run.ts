import type { EventBody } from '@/lib/runtime/record/events';
import type { SeededRandom } from './seeded-random';
import { ended, finish, log, modelOff, modelOn, queued, started, toolOff, toolOn } from './trace-log';

/** An agent's work for the simulator: model calls and batches of children, one after another. */
export interface Work {
  readonly agent: string;
  readonly steps: readonly ({ readonly model: number } | { readonly batch: readonly Work[] })[];
}

interface Planned {
  readonly at: number;
  readonly depth: number;
  readonly isEnd: boolean;
  readonly body: EventBody;
}

/**
 * Simulates a run in which `limitOf` says how many children of an agent run at once. It steps through time, one millisecond
 * after another, as a scheduler would. Returns the events in order of time.
 */
export function simulateRun(root: Work, limitOf: (agent: string) => number) {
  const planned: Planned[] = [];
  const length = run(root, 'lead', 0, undefined, limitOf, planned);
  const bodies = planned
    .map((one, index) => ({ ...one, index }))
    .sort((a, b) => a.at - b.at || rank(a) - rank(b) || a.index - b.index);
  return { length, events: log(...bodies.map(({ at, body }) => [at, body] as const), [length, finish]) };
}

/** Ends come first at one moment, the innermost first; starts come after them, the outermost first. */
function rank({ depth, isEnd }: Planned): number {
  return isEnd ? -depth : depth + 1_000;
}

function run(
  work: Work,
  path: string,
  from: number,
  parentStep: string | undefined,
  limitOf: (agent: string) => number,
  out: Planned[],
): number {
  const depth = path.split('/').length * 4;
  const add = (at: number, isEnd: boolean, more: number, body: EventBody) =>
    out.push({ at, isEnd, depth: depth + more, body });
  if (parentStep === undefined) add(from, false, 0, queued(path));
  add(from, false, 1, started(path));
  let now = from;
  let models = 0;
  let calls = 0;
  for (const step of work.steps) {
    if ('model' in step) {
      models += 1;
      add(now, false, 2, modelOn(path, models));
      now += step.model;
      add(now, true, 2, modelOff(path, models));
      continue;
    }
    const first = calls + 1;
    calls += step.batch.length;
    for (const [i, child] of step.batch.entries()) {
      add(now, false, 2, toolOn(path, first + i, `agent__${child.agent}`, 'agent'));
      add(now, false, 3, queued(`${path}/${child.agent}[${first + i}]`, `${path}#t${first + i}`));
    }
    now = runBatch(step.batch, { path, first, now, limit: limitOf(work.agent) }, limitOf, out, add);
  }
  add(now, true, 1, ended(path));
  return now;
}

/** Looks at every millisecond whether a child has ended and a waiting one may start. */
function runBatch(
  batch: readonly Work[],
  { path, first, now, limit }: { path: string; first: number; now: number; limit: number },
  limitOf: (agent: string) => number,
  out: Planned[],
  add: (at: number, isEnd: boolean, more: number, body: EventBody) => void,
): number {
  const waiting = batch.map((child, i) => ({ child, call: first + i }));
  const running: number[] = [];
  let at = now;
  for (;;) {
    while (running.length > 0 && Math.min(...running) <= at) running.splice(running.indexOf(Math.min(...running)), 1);
    while (running.length < limit) {
      const next = waiting.shift();
      if (next === undefined) break;
      const child = `${path}/${next.child.agent}[${next.call}]`;
      const end = run(next.child, child, at, `${path}#t${next.call}`, limitOf, out);
      add(end, true, 2, toolOff(path, next.call));
      running.push(end);
    }
    if (waiting.length === 0 && running.length === 0) return at;
    at += 1;
  }
}

/** Makes random work. Agents are named by their depth: `lead`, `mid`, `low`. */
export function randomWork(random: SeededRandom, agent = 'lead'): Work {
  const below = agent === 'lead' ? 'mid' : agent === 'mid' ? 'low' : undefined;
  const steps: Work['steps'][number][] = [{ model: 2 + random.below(20) }];
  const batches = below === undefined ? 0 : random.below(agent === 'lead' ? 3 : 2) + (agent === 'lead' ? 1 : 0);
  for (let i = 0; i < batches && below !== undefined; i++) {
    const size = 1 + random.below(7);
    steps.push(
      { batch: Array.from({ length: size }, () => randomWork(random, below)) },
      { model: 2 + random.below(20) },
    );
  }
  return { agent, steps };
}
