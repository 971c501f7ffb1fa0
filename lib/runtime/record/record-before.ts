import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { EventOf, RunEvent } from './events';
import { callAround, ordinalOf } from './step-key';

/**
 * The part of a log that comes before one of its events, so that another run can begin with it. What is in this part is never
 * done again; everything else runs live.
 *
 *   time ──────────────▶ point          before the point is
 *   lead   m1 ─┬──────────────────        - what was recorded before it (1)
 *   kid[1]     ├─ m1 ── t1 ─── m2 ──      - the calls of the same batches that the model asked for earlier, to their end,
 *   kid[2]     ├─── m1 ──●                  because they do not depend on the point (kid[1])
 *   kid[3]     └─ m1 ─── m2               - the answers of steps that had started before it (kid[3]#m2)
 *
 * Open calls around the point stay open, and so do their instances. Hooks that wrap an open call run again with it. A step
 * within a tool call stands for the call, and the end of a step for its start.
 */
export function recordBefore(log: readonly RunEvent[], at: number, options: { readonly earlierCalls?: boolean } = {}) {
  const steps = readSteps(log);
  const point = startOf(log, at);
  const earlier = options.earlierCalls === false ? new Set<string>() : earlierCalls(steps, log[point - 1], point);
  for (;;) {
    const kept = clean(log.filter((event) => event.seq < point || continuesBefore(steps, event, point, earlier)));
    const stale = staleCall(steps, log, kept, earlier);
    if (stale === undefined) return kept;
    earlier.delete(stale);
  }
}

/** What the log says about each step and each instance, whatever the order of its events. */
interface Steps {
  /** The number of the last event that starts the step. */
  readonly starts: ReadonlyMap<string, { readonly seq: number; readonly source: string | undefined }>;
  readonly ends: ReadonlyMap<string, { readonly seq: number; readonly isCancelled: boolean }>;
  /** The call that made an instance. */
  readonly callOf: ReadonlyMap<string, StepKey>;
  readonly parentOf: ReadonlyMap<string, InstancePath>;
}

function readSteps(log: readonly RunEvent[]): Steps {
  const starts = new Map<string, { seq: number; source: string | undefined }>();
  const ends = new Map<string, { seq: number; isCancelled: boolean }>();
  const callOf = new Map<string, StepKey>();
  const parentOf = new Map<string, InstancePath>();
  for (const event of log) {
    if (isStart(event)) {
      starts.set(event.step, { seq: event.seq, source: event.kind === 'tool.started' ? event.source : undefined });
    } else if (isEnd(event)) {
      ends.set(event.step, { seq: event.seq, isCancelled: wasCancelled(event) });
    } else if (event.kind === 'instance.queued' && event.parentStep !== undefined) {
      callOf.set(event.path, event.parentStep);
      if (event.parent !== undefined) parentOf.set(event.path, event.parent);
    }
  }
  return { starts, ends, callOf, parentOf };
}

type Start = EventOf<'model.started' | 'tool.started' | 'hook.started' | 'setup.started'>;
type End = EventOf<'model.ended' | 'tool.ended' | 'hook.ended' | 'setup.ended'>;

function isStart(event: RunEvent): event is Start {
  const { kind } = event;
  return kind === 'model.started' || kind === 'tool.started' || kind === 'hook.started' || kind === 'setup.started';
}

function isEnd(event: RunEvent): event is End {
  const { kind } = event;
  return kind === 'model.ended' || kind === 'tool.ended' || kind === 'hook.ended' || kind === 'setup.ended';
}

/** True if the step has no answer of its own, because it was stopped. */
function wasCancelled(event: End): boolean {
  if (event.kind === 'tool.ended') return event.result.errorCode === 'AGENT_CANCELLED';
  if (event.kind === 'hook.ended') return event.error === 'The call was cancelled.';
  return event.error?.code === 'cancelled';
}

/** Returns the number of the event before which the record is taken. */
function startOf(log: readonly RunEvent[], at: number): number {
  const event = log[at - 1];
  const named = event && 'step' in event ? event.step : undefined;
  if (named === undefined) return at;
  const step = callAround(named) ?? named;
  for (let seq = at; seq > 0; seq -= 1) {
    const one = log[seq - 1];
    if (one && isStart(one) && one.step === step) return seq;
  }
  return at;
}

/** Returns the calls that were asked for before the point, in the batches around it, and had not ended. */
function earlierCalls(
  { starts, ends, callOf, parentOf }: Steps,
  event: RunEvent | undefined,
  point: number,
): Set<string> {
  const around: string[] = event?.kind === 'tool.started' ? [event.step] : [];
  let path: string | undefined = event && 'path' in event ? event.path : undefined;
  while (path !== undefined) {
    const call = callOf.get(path);
    if (call !== undefined) around.push(call);
    path = parentOf.get(path);
  }
  const found = new Set<string>();
  for (const call of around) {
    const own = ordinalOf(call) ?? 0;
    for (let number = own - 1; number > 0; number -= 1) {
      const step = call.replace(/\d+$/, String(number));
      const end = ends.get(step);
      if (end !== undefined && end.seq < point) break;
      if (end !== undefined && !end.isCancelled && starts.has(step)) found.add(step);
    }
  }
  return found;
}

/** True for an event after the point that belongs to something before it. */
function continuesBefore(steps: Steps, event: RunEvent, point: number, earlier: ReadonlySet<string>): boolean {
  if (!('path' in event) || event.path === undefined) return false;
  const step = 'step' in event ? event.step : undefined;
  if (step !== undefined) {
    const call = callAround(step) ?? step;
    if (earlier.has(call) || isLeafBefore(steps, call, point)) return true;
  }
  return callAmong(steps, event.path, earlier) !== undefined;
}

/** True for a model call, a hook, a setup or a tool call without children that had started before the point. */
function isLeafBefore({ starts, ends }: Steps, step: string, point: number): boolean {
  const start = starts.get(step);
  const end = ends.get(step);
  if (start === undefined || end === undefined || start.seq >= point || end.seq < point) return false;
  return start.source !== 'agent' && !end.isCancelled;
}

/** Returns the call of `calls` that the instance runs for, directly or not. */
function callAmong({ callOf, parentOf }: Steps, path: string, calls: ReadonlySet<string>): string | undefined {
  for (let one: string | undefined = path; one !== undefined; one = parentOf.get(one)) {
    const call = callOf.get(one);
    if (call !== undefined && calls.has(call)) return call;
  }
  return undefined;
}

/**
 * Leaves out what a run that goes on must not find: why the old run stopped, limits of time of instances that go on, and steps
 * without an end. Their starts would look like those of a dead worker.
 */
function clean(events: readonly RunEvent[]): readonly RunEvent[] {
  const ended = new Set<string>();
  const lastStart = new Map<string, number>();
  const delegations = new Set<string>();
  for (const event of events) {
    if (isEnd(event)) ended.add(event.step);
    else if (event.kind === 'instance.ended') ended.add(event.path);
    else if (isStart(event)) {
      lastStart.set(event.step, event.seq);
      if (event.kind === 'tool.started' && event.source === 'agent') delegations.add(event.step);
    }
  }
  return events.filter((event) => {
    if (event.kind === 'run.resumed' || event.kind === 'run.finished' || event.kind === 'run.suspended') return false;
    // An approval is for one run. What still runs asks again.
    if (event.kind === 'person.asked' || event.kind === 'person.answered') return false;
    if (event.kind === 'log') return !isDecision(event) || (event.path !== undefined && ended.has(event.path));
    if (!('step' in event)) return true;
    const call = callAround(event.step);
    if (call !== undefined && !ended.has(call)) return event.kind === 'tool.returned' || event.kind === 'model.ended';
    if (!isStart(event)) return true;
    if (delegations.has(event.step)) return true;
    return ended.has(event.step) && lastStart.get(event.step) === event.seq;
  });
}

/** True for lines of the log that decide how a run goes on. */
function isDecision({ code, path, serverName }: EventOf<'log'>): boolean {
  if (path !== undefined) return code === 'agent_timeout';
  return (
    serverName === undefined && ['run_cancelled', 'run_timeout', 'max_tokens', 'max_cost', 'over_budget'].includes(code)
  );
}

/** Returns an earlier call that continues a session which a left-out call opened or saved. */
function staleCall(
  steps: Steps,
  log: readonly RunEvent[],
  kept: readonly RunEvent[],
  earlier: ReadonlySet<string>,
): string | undefined {
  if (earlier.size === 0) return undefined;
  const numbers = new Set(kept.map(({ seq }) => seq));
  const left = new Set<string>();
  for (const event of log) {
    if (event.kind !== 'session.opened' && event.kind !== 'session.saved') continue;
    if (!numbers.has(event.seq)) left.add(event.sessionId);
    else if (event.kind === 'session.opened' && left.has(event.sessionId)) {
      return earlier.has(event.step) ? event.step : callAmong(steps, event.path, earlier);
    }
  }
  return undefined;
}
