import type { InstanceStatus } from '@/lib/runtime/record/events';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import { ordinalOf } from '@/lib/runtime/record/step-key';
import { endedByStep, isFailed, refusedState } from './failures';
import { closeSpan, instanceSpan, openSpan } from './fold-spans';
import { FreeSlots } from './free-slots';
import { LaneSpans } from './lane-spans';
import type { SlimEvent } from './slim-event';
import type { SpanStatus } from './span';
import { NO_SPAN } from './span-table';
import type { Lane, Trace } from './trace';

type Of<K extends SlimEvent['kind']> = Extract<SlimEvent, { kind: K }>;

export function queueInstance(trace: Trace, event: Of<'instance.queued'>, at: number): void {
  if (trace.laneByPath.has(event.path)) return;
  const lane = addLane(trace, {
    path: event.path,
    agentName: event.agentName,
    instanceName: event.instanceName,
    correlationId: event.correlationId,
    parentCorrelationId: event.parentCorrelationId,
    callId: event.callId,
    parent: event.parent === undefined ? undefined : trace.laneByPath.get(event.parent),
    parentSpan: event.parentStep === undefined ? undefined : trace.steps.get(event.parentStep),
    depth: event.depth,
    order: (event.parentStep === undefined ? undefined : ordinalOf(event.parentStep)) ?? trace.lanes.length,
    attempt: event.attempt ?? 1,
    forwarded: event.forwarded,
    at,
  });
  lane.span = openSpan(trace, lane, instanceSpan(lane, 'queued', at, event.seq));
}

export function startInstance(trace: Trace, event: Of<'instance.started'>, at: number): void {
  const lane = laneOf(trace, event.path, at);
  if (lane.state === 'running') return;
  const { spans } = trace;
  lane.model = event.model ?? '';
  lane.state = 'running';
  lane.startedAt = at;
  if (event.maxDisplayInstances !== lane.maxDisplay) {
    lane.maxDisplay = event.maxDisplayInstances;
    trace.laneVersion++;
  }
  const queued = spans.kindOf(lane.span) === 'queued' && spans.statusOf(lane.span) === 'open';
  // An instance that did not wait has one span.
  if (queued && at <= spans.start.at(lane.span)) {
    spans.kind.data[lane.span] = 0;
    spans.startSeq.data[lane.span] = event.seq;
    return;
  }
  if (queued) closeSpan(trace, lane.span, at, 'ok', event.seq);
  lane.span = openSpan(trace, lane, instanceSpan(lane, 'instance', at, event.seq));
}

export function endInstance(trace: Trace, event: Of<'instance.ended'>, at: number): void {
  const lane = laneOf(trace, event.path, at);
  const status = stepStatus(event.status);
  const { spans } = trace;
  lane.state = 'ended';
  lane.status = status;
  lane.endedAt = at;
  lane.error = event.error;
  lane.usage = countedAs(lane.usage, event.usage);
  lane.cached = event.cached === true;
  // A failed step that ends its instance is counted already.
  if (isFailed(status) && !endedByStep(trace, lane)) lane.errors++;
  if (lane.cached) spans.mark(lane.span, 'cached');
  else if (lane.startedAt === undefined && status === 'error') spans.mark(lane.span, 'refused');
  spans.inputTokens.data[lane.span] = event.usage.inputTokens;
  spans.outputTokens.data[lane.span] = event.usage.outputTokens;
  closeSpan(trace, lane.span, at, status, event.seq);
}

/**
 * Returns the usage that the end of an instance or a run reports, with the model calls that the log has. Logs of older versions
 * report answered calls only, and an imported one may report calls that it does not have.
 */
export function countedAs(counted: Usage, reported: Usage): Usage {
  return counted.modelCalls === 0 ? reported : { ...reported, modelCalls: counted.modelCalls };
}

/** Marks a completed instance as failed because its writes to the state were refused. */
export function refuseInstance(trace: Trace, index: number | undefined, reason: string | undefined): void {
  const lane = trace.lanes[index ?? -1];
  if (lane === undefined || lane.status !== 'ok') return;
  lane.status = 'error';
  lane.errors++;
  lane.error = { code: refusedState, message: reason ?? 'What it wrote to the state was refused.' };
  trace.spans.setStatus(lane.span, 'error');
}

/** Records the session of the instance that opened it. */
export function noteSession(trace: Trace, event: Of<'session.opened'> | Of<'session.saved'>, at: number): void {
  const lane = trace.lanes[trace.laneByPath.get(event.path) ?? -1];
  if (lane === undefined) return;
  if (event.kind === 'session.opened') {
    lane.session = {
      id: event.sessionId,
      mode: event.mode,
      version: event.version,
      saved: undefined,
      openedAt: at,
      savedAt: undefined,
    };
  } else if (lane.session !== undefined) {
    lane.session.saved = event.version;
    lane.session.savedAt = at;
  }
}

/** Returns the lane of an instance. If no event announced it, the lane is made from its path. */
export function laneOf(trace: Trace, path: string, at: number): Lane {
  const index = trace.laneByPath.get(path);
  const known = index === undefined ? undefined : trace.lanes[index];
  if (known !== undefined) return known;
  const instanceName = path.slice(path.lastIndexOf('/') + 1);
  const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined;
  const lane = addLane(trace, {
    path,
    agentName: instanceName.replace(/\[[\d.]+\]$/, ''),
    instanceName,
    correlationId: trace.run.correlationId,
    parentCorrelationId: undefined,
    callId: undefined,
    parent: above === undefined ? undefined : trace.laneByPath.get(above),
    parentSpan: undefined,
    depth: path.split('/').length - 1,
    order: trace.lanes.length,
    attempt: 1,
    forwarded: undefined,
    at,
  });
  lane.span = openSpan(trace, lane, instanceSpan(lane, 'queued', at, 0));
  return lane;
}

type LaneIdentity = Pick<
  Lane,
  | 'path'
  | 'agentName'
  | 'instanceName'
  | 'correlationId'
  | 'parentCorrelationId'
  | 'callId'
  | 'parent'
  | 'parentSpan'
  | 'depth'
  | 'order'
  | 'attempt'
  | 'forwarded'
> & { readonly at: number };

/** Adds a lane among its siblings in call order. The caller opens its first span. */
function addLane(trace: Trace, { at, ...identity }: LaneIdentity): Lane {
  const lane: Lane = {
    ...identity,
    index: trace.lanes.length,
    children: [],
    state: 'queued',
    status: 'open',
    queuedAt: at,
    startedAt: undefined,
    endedAt: undefined,
    model: '',
    error: undefined,
    usage: noUsage,
    span: NO_SPAN,
    slots: 1,
    busySlots: new FreeSlots(),
    hookSlots: 0,
    busyHooks: new FreeSlots(),
    errors: 0,
    cached: false,
    session: undefined,
    maxDisplay: undefined,
    spans: new LaneSpans(),
    decisions: [],
  };
  trace.lanes.push(lane);
  trace.laneByPath.set(lane.path, lane.index);
  const siblings = (lane.parent === undefined ? undefined : trace.lanes[lane.parent])?.children ?? trace.roots;
  siblings.splice(placeAmong(trace, siblings, lane.order), 0, lane.index);
  trace.laneVersion++;
  return lane;
}

/** True for the call of step `step`, which is the span `call`, if an instance that it made has failed. */
export function hasFailedChild(trace: Trace, call: number, step: string): boolean {
  const order = ordinalOf(step);
  const siblings = trace.lanes[trace.spans.lane.at(call)]?.children ?? [];
  if (order === undefined) return false;
  for (let i = placeAmong(trace, siblings, order) - 1; i >= 0 && orderAt(trace, siblings[i]) === order; i--) {
    const child = trace.lanes[siblings[i] ?? -1];
    if (child?.parentSpan === call && isFailed(child.status)) return true;
  }
  return false;
}

/** Returns the place after the last lane that comes before or has the same order. */
function placeAmong(trace: Trace, siblings: readonly number[], order: number): number {
  let low = 0;
  let high = siblings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (orderAt(trace, siblings[middle]) > order) high = middle;
    else low = middle + 1;
  }
  return low;
}

function orderAt(trace: Trace, lane: number | undefined): number {
  return lane === undefined ? 0 : (trace.lanes[lane]?.order ?? 0);
}

export function stepStatus(status: InstanceStatus): SpanStatus {
  switch (status) {
    case 'completed':
      return 'ok';
    case 'failed':
      return 'error';
    case 'cancelled':
    case 'timeout':
      return status;
  }
}
