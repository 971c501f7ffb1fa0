/**
 * Counts the figures of a run from its events alone, as docs/events.md and docs/runs.md (Figures) define them. It shares nothing with
 * lib/trace, so that a test can compare the two. Slow, and made to be read.
 */
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';

/** Times are in milliseconds. */
export interface PlainFigures {
  readonly runMs: number;
  /** For how long a child waited for a permit, and a person for an answer. */
  readonly permitMs: number;
  readonly peopleMs: number;
  /** The most model calls and tool calls that ran at one moment. */
  readonly atOnce: number;
  readonly instances: ReadonlyMap<string, PlainRow>;
  /** By agent; by tool and server, or `agent` for a delegation, on two lines; by model. */
  readonly agents: ReadonlyMap<string, PlainRow>;
  readonly tools: ReadonlyMap<string, PlainRow>;
  readonly models: ReadonlyMap<string, PlainRow>;
  readonly whole: PlainRow;
}

export interface PlainRow {
  /** How many instances or calls, and how many of them failed or timed out. */
  count: number;
  failed: number;
  ms: number;
  input: number;
  output: number;
  usd: number;
  isPriced: boolean;
  modelCalls: number;
  toolCalls: number;
  errors: number;
}

type Asked = EventOf<'model.started'> | EventOf<'tool.started'>;

export function plainFigures(events: readonly RunEvent[]): PlainFigures {
  const agentOf = new Map(of(events, 'instance.queued').map(({ path, agentName }) => [String(path), agentName]));
  const asked = new Map<string, Asked>();
  for (const event of events) {
    if ((event.kind === 'model.started' || event.kind === 'tool.started') && !asked.has(event.step))
      asked.set(event.step, event);
  }
  const [whole, instances, agents, tools, models] = [blank(), rows(), rows(), rows(), rows()];
  /** Adds to the row of an instance, of its agent, and of the run. */
  const add = (path: string, change: (row: PlainRow) => void) => {
    for (const row of [instances.at(path), agents.at(agentOf.get(path) ?? ''), whole]) change(row);
  };
  for (const path of agentOf.keys()) add(path, () => {});
  for (const event of events) {
    if (event.kind === 'model.ended') {
      const { usage, costUsd, error } = event;
      const use = (row: PlainRow) => {
        row.input += usage.inputTokens;
        row.output += usage.outputTokens;
        row.usd += costUsd ?? 0;
        if (costUsd === undefined && usage.inputTokens + usage.outputTokens > 0) row.isPriced = false;
        row.modelCalls += 1;
      };
      add(event.path, use);
      const started = asked.get(event.step);
      const row = models.at(started?.kind === 'model.started' ? started.model : '');
      use(row);
      count(row, started, event, error !== undefined && error.code !== 'cancelled');
    }
    if (event.kind === 'tool.ended') {
      add(event.path, (row) => {
        row.toolCalls += 1;
      });
      count(tools.at(toolOf(asked.get(event.step))), asked.get(event.step), event, hasFailed(event));
    }
  }
  for (const path of errorsOf(events)) {
    add(path, (row) => {
      row.errors += 1;
    });
  }
  addInstances(events, add);
  const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  return {
    ...{
      runMs: last - first,
      permitMs: permitMs(events),
      peopleMs: unionOf(questions(events)),
      atOnce: atOnce(events),
    },
    ...{ instances: instances.all, agents: agents.all, tools: tools.all, models: models.all, whole },
  };
}

function addInstances(events: readonly RunEvent[], add: (path: string, change: (row: PlainRow) => void) => void): void {
  const refused = new Set(refusals(events));
  const ends = new Map(of(events, 'instance.ended').map((event) => [String(event.path), event]));
  const begun = new Set<string>();
  for (const { path, at } of of(events, 'instance.started')) {
    if (begun.has(path)) continue;
    begun.add(path);
    const end = ends.get(path);
    const isFailed = end?.status === 'failed' || end?.status === 'timeout' || refused.has(path);
    add(path, (row) => {
      row.count += 1;
      row.ms += (end?.at ?? events.at(-1)?.at ?? at) - at;
      row.failed += isFailed ? 1 : 0;
    });
  }
}

/** The path of each error: what failed or timed out, without what only passed the failure of something else on. */
function errorsOf(events: readonly RunEvent[]): readonly string[] {
  const refused = refusals(events);
  const failedInstances = new Set<string>(refused);
  for (const { path, status } of of(events, 'instance.ended'))
    if (status === 'failed' || status === 'timeout') failedInstances.add(path);
  const callsOfFailed = new Set(
    of(events, 'instance.queued')
      .filter(({ path }) => failedInstances.has(path))
      .map(({ parentStep }) => String(parentStep)),
  );
  /** Whether the step of an instance that ended last has failed. */
  const lastFailed = new Map<string, boolean>();
  const errors: string[] = [...refused];
  for (const event of events) {
    switch (event.kind) {
      case 'model.ended':
      case 'setup.ended': {
        const isFailed = event.error !== undefined && event.error.code !== 'cancelled';
        lastFailed.set(event.path, isFailed);
        if (isFailed) errors.push(event.path);
        break;
      }
      case 'tool.ended': {
        lastFailed.set(event.path, hasFailed(event));
        if (hasFailed(event) && !callsOfFailed.has(event.step)) errors.push(event.path);
        break;
      }
      case 'hook.ended':
        if (event.error !== undefined) errors.push(event.path);
        break;
      case 'instance.ended': {
        const isFailed = event.status === 'failed' || event.status === 'timeout';
        if (isFailed && lastFailed.get(event.path) !== true) errors.push(event.path);
      }
    }
  }
  return errors;
}

/** Instances that completed, and whose writes to the state were refused afterwards. */
function refusals(events: readonly RunEvent[]): readonly string[] {
  const done = new Set<string>();
  const refused = new Set<string>();
  for (const event of events) {
    if (event.kind === 'instance.ended' && event.status === 'completed') done.add(event.path);
    if (event.kind === 'state.changed' && event.outcome === 'refused' && done.has(event.from ?? ''))
      refused.add(event.from ?? '');
  }
  return [...refused];
}

/** A call that was stopped with its run or its parent did not fail. */
function hasFailed({ result }: EventOf<'tool.ended'>): boolean {
  return result.isError && result.errorCode !== 'AGENT_CANCELLED';
}

type Interval = readonly [from: number, to: number];

function permitMs(events: readonly RunEvent[]): number {
  const after = (path: string) =>
    events.find(
      (event) => (event.kind === 'instance.started' || event.kind === 'instance.ended') && event.path === path,
    )?.at;
  return unionOf(
    of(events, 'instance.queued')
      .filter(({ parent }) => parent !== undefined)
      .map(({ path, at }): Interval => [at, after(path) ?? events.at(-1)?.at ?? at]),
  );
}

function questions(events: readonly RunEvent[]): readonly (Interval & { step?: string })[] {
  const seen = new Set<string>();
  return of(events, 'person.asked').flatMap(({ item, at, step }): (Interval & { step?: string })[] => {
    if (seen.has(item)) return [];
    seen.add(item);
    const end = events.find((event) => event.kind === 'person.answered' && event.item === item)?.at;
    return [Object.assign([at, end ?? events.at(-1)?.at ?? at] as const, { step: step.replace(/(#t\d+)\..*$/, '$1') })];
  });
}

/** The most model calls and tools at one moment: no delegations, and no call while it waits for a person. */
function atOnce(events: readonly RunEvent[]): number {
  const waits = questions(events);
  const changes: (readonly [at: number, by: 1 | -1])[] = [];
  for (const [step, [from, to]] of workOf(events)) {
    const own = waits.filter((wait) => wait.step === step && wait[1] > from && wait[0] < to);
    for (const [start, end] of without([from, to], own)) if (end > start) changes.push([start, 1], [end, -1]);
  }
  changes.sort(([a, x], [b, y]) => a - b || x - y);
  let [now, most] = [0, 0];
  for (const [, by] of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

/** When each model call and tool ran. What a crash interrupted ends at the last event before the next worker. */
function workOf(events: readonly RunEvent[]): readonly (readonly [step: string, time: Interval])[] {
  const open = new Map<string, number>();
  const work: (readonly [string, Interval])[] = [];
  const asking = new Map<string, string>();
  const end = (step: string, at: number) => {
    const from = open.get(step);
    if (from !== undefined) work.push([step, [from, at]]);
    open.delete(step);
  };
  let isSuspended = false;
  for (const [place, event] of events.entries()) {
    const { kind, at } = event;
    if (kind === 'model.started' || (kind === 'tool.started' && event.source !== 'agent'))
      open.set(event.step, open.get(event.step) ?? at);
    if (kind === 'model.ended' || kind === 'tool.ended') end(event.step, at);
    if (kind === 'person.asked') asking.set(event.item, event.step.replace(/(#t\d+)\..*$/, '$1'));
    if (kind === 'person.answered') asking.delete(event.item);
    if (kind === 'run.suspended') isSuspended = true;
    if (kind === 'run.resumed') {
      const goesOn = new Set(asking.values());
      for (const step of [...open.keys()]) {
        const isTool = /#t\d+$/.test(step);
        if (!(isTool && (isSuspended || goesOn.has(step)))) end(step, events[place - 1]?.at ?? at);
      }
      isSuspended = false;
    }
    if (kind === 'run.finished') for (const step of [...open.keys()]) end(step, at);
  }
  return work;
}

/** What is left of a time without the others. */
function without([from, to]: Interval, others: readonly Interval[]): readonly Interval[] {
  const left: Interval[] = [];
  let reached = from;
  for (const [start, end] of [...others].sort(([a], [b]) => a - b)) {
    if (start > reached) left.push([reached, Math.min(start, to)]);
    reached = Math.max(reached, end);
  }
  return reached < to ? [...left, [reached, to]] : left;
}

function unionOf(intervals: readonly Interval[]): number {
  let [sum, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const [from, to] of [...intervals].sort(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}

function count(row: PlainRow, from: Asked | undefined, to: RunEvent, isFailed: boolean): void {
  row.count += 1;
  row.failed += isFailed ? 1 : 0;
  row.ms += to.at - (from?.at ?? to.at);
}

/** A tool of two servers is two tools, and so is a delegation with the name of a tool. */
function toolOf(asked: Asked | undefined): string {
  if (asked?.kind !== 'tool.started') return '';
  return `${asked.toolName}\n${asked.source === 'agent' ? 'agent' : (asked.serverName ?? '')}`;
}

function of<K extends RunEvent['kind']>(events: readonly RunEvent[], kind: K): readonly EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.kind === kind);
}

function blank(): PlainRow {
  return {
    ...{ count: 0, failed: 0, ms: 0, input: 0, output: 0, usd: 0, isPriced: true },
    ...{ modelCalls: 0, toolCalls: 0, errors: 0 },
  };
}

function rows() {
  const all = new Map<string, PlainRow>();
  return {
    all,
    at(name: string): PlainRow {
      const row = all.get(name) ?? blank();
      all.set(name, row);
      return row;
    },
  };
}
