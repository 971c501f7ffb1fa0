/**
 * Events in, spans out: the one fold behind the live view, the timeline, the history and the usage tables.
 *
 *   instance.queued ─┐                        lane (one per instance path)
 *   instance.started ┴▶ queued span │ instance span ──────────────────────▶ instance.ended
 *   model.started … model.ended       model span
 *   tool.started  … tool.ended        tool span (a sub-row of its own while tools overlap; delegations take none)
 *   run.resumed                       steps in flight end as `interrupted` at the last sign of life; the next start of
 *                                     the same step is a new span
 *   run.finished                      whatever is open still, ends with the run
 *
 * Total: an event out of order makes a best-effort span, never an exception. Events at or before `lastSeq` are ignored.
 */
import type { InstanceStatus } from '@/lib/runtime/events';
import { addUsage, noUsage } from '@/lib/runtime/messages';
import { LaneSpans } from './lane-spans';
import type { SlimEvent } from './slim-event';
import { type SpanKind, type SpanStatus, spanKinds } from './span';
import { NO_SPAN, type SpanSource, SpanTable, toolSources } from './span-table';
import { internString, type Lane, type Trace } from './trace';

/** A wait shorter than this (microseconds) is no wait: no span is kept for it. */
const shortestWait = 1000;

/** A run of which nothing is known yet. */
export function emptyTrace(): Trace {
  return {
    origin: undefined,
    lastSeq: 0,
    lastAt: 0,
    spans: new SpanTable(),
    strings: [''],
    stringIds: new Map([['', 0]]),
    lanes: [],
    laneByPath: new Map(),
    roots: [],
    steps: new Map(),
    run: {
      runId: '',
      correlationId: '',
      entryAgent: '',
      scripted: false,
      status: undefined,
      error: undefined,
      usage: noUsage,
      resumed: [],
    },
    logs: [],
    version: 0,
    laneVersion: 0,
  };
}

/** Folds one event into the trace, in place. Answers false when the event was folded before. */
export function foldEvent(trace: Trace, event: SlimEvent): boolean {
  if (event.seq <= trace.lastSeq) return false;
  trace.origin ??= event.at;
  const at = Math.round((event.at - trace.origin) * 1000);
  apply(trace, event, at);
  trace.lastSeq = event.seq;
  trace.lastAt = Math.max(trace.lastAt, at);
  trace.version++;
  return true;
}

function apply(trace: Trace, event: SlimEvent, at: number): void {
  switch (event.kind) {
    case 'run.started':
      trace.run.runId = event.runId;
      trace.run.correlationId = event.correlationId;
      trace.run.entryAgent = event.entryAgent;
      trace.run.scripted = event.scripted;
      return;
    case 'run.resumed':
      trace.run.resumed.push(at);
      interruptSteps(trace);
      return;
    case 'run.finished':
      trace.run.status = event.status;
      trace.run.error = event.error;
      trace.run.usage = event.usage;
      endEverything(trace, at, event.status === 'completed' ? 'cancelled' : stepStatus(event.status));
      return;
    case 'instance.queued':
      queueInstance(trace, event, at);
      return;
    case 'instance.started':
      startInstance(trace, laneOf(trace, event.path, at), event, at);
      return;
    case 'instance.ended':
      endInstance(trace, laneOf(trace, event.path, at), event, at);
      return;
    case 'model.started':
      startStep(trace, event, at, { kind: 'model', name: event.model, source: 'none', detail: '' });
      return;
    case 'model.ended':
      endModel(trace, event, at);
      return;
    case 'tool.started':
      startStep(trace, event, at, {
        kind: 'tool',
        name: event.toolName,
        source: event.source,
        detail: event.serverName ?? '',
      });
      return;
    case 'tool.ended':
      endStep(trace, event.step, at, toolStatus(event.result), event.seq);
      return;
    // The bar of the call tells; this is for whoever resumes.
    case 'tool.returned':
      return;
    case 'hook.started':
      startStep(trace, event, at, { kind: 'hook', name: event.hook, source: 'none', detail: event.phase });
      return;
    case 'hook.ended':
      endStep(trace, event.step, at, event.error === undefined ? 'ok' : 'error', event.seq);
      return;
    case 'state.changed':
    case 'artifact.saved':
      return;
    case 'log': {
      const lane = event.path === undefined ? undefined : trace.laneByPath.get(event.path);
      const { seq, level, code, message, serverName } = event;
      trace.logs.push({ seq, at, level, code, message, lane, serverName });
      return;
    }
    default:
      // A kind that a newer worker knows moves the time, nothing else.
      event satisfies never;
  }
}

function queueInstance(trace: Trace, event: Extract<SlimEvent, { kind: 'instance.queued' }>, at: number): void {
  const known = trace.laneByPath.get(event.path);
  if (known !== undefined) return;
  const parent = event.parent === undefined ? undefined : trace.laneByPath.get(event.parent);
  const parentSpan = event.parentStep === undefined ? undefined : trace.steps.get(event.parentStep);
  const lane = addLane(trace, {
    path: event.path,
    agentName: event.agentName,
    instanceName: event.instanceName,
    correlationId: event.correlationId,
    parentCorrelationId: event.parentCorrelationId,
    callId: event.callId,
    parent,
    parentSpan,
    depth: event.depth,
    order: stepOrdinal(event.parentStep) ?? trace.lanes.length,
    at,
  });
  lane.span = openSpan(trace, lane, instanceSpan(lane, 'queued', at, event.seq));
}

function startInstance(trace: Trace, lane: Lane, event: { seq: number; model: string }, at: number): void {
  if (lane.state === 'running') return;
  const { spans } = trace;
  lane.model = event.model;
  lane.state = 'running';
  lane.startedAt = at;
  const queued = spans.kindOf(lane.span) === 'queued' && spans.statusOf(lane.span) === 'open';
  if (queued && at - spans.start.at(lane.span) < shortestWait) {
    spans.kind.data[lane.span] = 0;
    spans.startSeq.data[lane.span] = event.seq;
    return;
  }
  if (queued) closeSpan(trace, lane.span, at, 'ok', event.seq);
  lane.span = openSpan(trace, lane, instanceSpan(lane, 'instance', at, event.seq));
}

function endInstance(
  trace: Trace,
  lane: Lane,
  event: Extract<SlimEvent, { kind: 'instance.ended' }>,
  at: number,
): void {
  const status = stepStatus(event.status);
  lane.state = 'ended';
  lane.status = status;
  lane.endedAt = at;
  lane.error = event.error;
  lane.usage = event.usage;
  if (status === 'error' || status === 'timeout') lane.errors++;
  trace.spans.inputTokens.data[lane.span] = event.usage.inputTokens;
  trace.spans.outputTokens.data[lane.span] = event.usage.outputTokens;
  closeSpan(trace, lane.span, at, status, event.seq);
}

function startStep(
  trace: Trace,
  event: { readonly path: string; readonly step: string; readonly attempt: number; readonly seq: number },
  at: number,
  what: { readonly kind: SpanKind; readonly name: string; readonly source: SpanSource; readonly detail: string },
): void {
  const lane = laneOf(trace, event.path, at);
  const earlier = trace.steps.get(event.step);
  if (earlier !== undefined && trace.spans.statusOf(earlier) === 'open') {
    const lost = trace.run.resumed.at(-1);
    closeSpan(trace, earlier, Math.min(lost ?? at, at), 'interrupted', 0);
  }
  const around = 'around' in event && typeof event.around === 'string' ? trace.steps.get(event.around) : undefined;
  const span = openSpan(trace, lane, {
    kind: what.kind,
    start: at,
    seq: event.seq,
    parent: around ?? lane.span,
    name: what.name,
    source: what.source,
    detail: what.detail,
    slot: what.kind === 'tool' && what.source !== 'agent' ? takeSlot(trace, lane) : 0,
    attempt: event.attempt,
  });
  trace.steps.set(event.step, span);
}

function endModel(trace: Trace, event: Extract<SlimEvent, { kind: 'model.ended' }>, at: number): void {
  const span = trace.steps.get(event.step);
  const lane = laneOf(trace, event.path, at);
  lane.usage = addUsage(lane.usage, event.usage);
  trace.run.usage = addUsage(trace.run.usage, event.usage);
  if (span === undefined) return;
  trace.spans.inputTokens.data[span] = event.usage.inputTokens;
  trace.spans.outputTokens.data[span] = event.usage.outputTokens;
  const status = event.error === undefined ? 'ok' : event.error.code === 'cancelled' ? 'cancelled' : 'error';
  endStep(trace, event.step, at, status, event.seq);
}

function endStep(trace: Trace, step: string, at: number, status: SpanStatus, seq: number): void {
  const span = trace.steps.get(step);
  if (span === undefined) return;
  trace.steps.delete(step);
  const lane = trace.lanes[trace.spans.lane.at(span)];
  if (lane !== undefined && (status === 'error' || status === 'timeout')) lane.errors++;
  closeSpan(trace, span, at, status, seq);
}

/** A delegation in flight goes on: its child is an instance with a life of its own. */
function interruptSteps(trace: Trace): void {
  for (const span of trace.steps.values()) {
    if (trace.spans.statusOf(span) === 'open' && trace.spans.sourceOf(span) !== 'agent') {
      closeSpan(trace, span, trace.lastAt, 'interrupted', 0);
    }
  }
}

function endEverything(trace: Trace, at: number, status: SpanStatus): void {
  for (const span of trace.steps.values()) {
    if (trace.spans.statusOf(span) === 'open') closeSpan(trace, span, at, status, 0);
  }
  trace.steps.clear();
  for (const lane of trace.lanes) {
    if (lane.state === 'ended') continue;
    lane.state = 'ended';
    lane.status = status;
    lane.endedAt = at;
    closeSpan(trace, lane.span, at, status, 0);
  }
}

/** What a span is from its start. Always all fields: the fold makes a hundred thousand of these. */
interface NewSpan {
  readonly kind: SpanKind;
  readonly start: number;
  readonly seq: number;
  readonly parent: number;
  readonly name: string;
  readonly source: SpanSource;
  readonly detail: string;
  readonly slot: number;
  readonly attempt: number;
}

function instanceSpan(lane: Lane, kind: 'instance' | 'queued', start: number, seq: number): NewSpan {
  const parent = lane.parentSpan ?? NO_SPAN;
  return { kind, start, seq, parent, name: lane.instanceName, source: 'none', detail: '', slot: 0, attempt: 1 };
}

function openSpan(trace: Trace, lane: Lane, row: NewSpan): number {
  const { spans } = trace;
  spans.kind.push(spanKinds.indexOf(row.kind));
  spans.status.push(0);
  spans.source.push(toolSources.indexOf(row.source));
  spans.start.push(row.start);
  spans.end.push(Number.POSITIVE_INFINITY);
  spans.lane.push(lane.index);
  spans.parent.push(row.parent);
  spans.name.push(internString(trace, row.name));
  spans.detail.push(internString(trace, row.detail));
  spans.inputTokens.push(0);
  spans.outputTokens.push(0);
  spans.startSeq.push(row.seq);
  spans.endSeq.push(0);
  spans.slot.push(row.slot);
  spans.attempt.push(row.attempt);
  lane.spans.push(spans.length - 1, row.start, Number.POSITIVE_INFINITY);
  return spans.length - 1;
}

function closeSpan(trace: Trace, span: number, at: number, status: SpanStatus, seq: number): void {
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const wasOpen = trace.spans.statusOf(span) === 'open';
  trace.spans.close(span, at, status, seq);
  lane?.spans.setEnd(span, trace.spans.end.at(span));
  if (wasOpen && holdsSlot(trace, span)) lane?.busySlots.delete(trace.spans.slot.at(span));
}

/** Tools that are no delegation take a sub-row, for an agent may call several at once. */
export function holdsSlot(trace: Trace, span: number): boolean {
  return trace.spans.kindOf(span) === 'tool' && trace.spans.sourceOf(span) !== 'agent';
}

function takeSlot(trace: Trace, lane: Lane): number {
  let slot = 0;
  while (lane.busySlots.has(slot)) slot++;
  lane.busySlots.add(slot);
  if (slot >= lane.slots) {
    lane.slots = slot + 1;
    trace.laneVersion++;
  }
  return slot;
}

function laneOf(trace: Trace, path: string, at: number): Lane {
  const index = trace.laneByPath.get(path);
  const known = index === undefined ? undefined : trace.lanes[index];
  if (known !== undefined) return known;
  const instanceName = path.slice(path.lastIndexOf('/') + 1);
  const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined;
  const lane = addLane(trace, {
    path,
    agentName: instanceName.replace(/\[\d+\]$/, ''),
    instanceName,
    correlationId: trace.run.correlationId,
    parentCorrelationId: undefined,
    callId: undefined,
    parent: above === undefined ? undefined : trace.laneByPath.get(above),
    parentSpan: undefined,
    depth: path.split('/').length - 1,
    order: trace.lanes.length,
    at,
  });
  lane.span = openSpan(trace, lane, instanceSpan(lane, 'queued', at, 0));
  return lane;
}

export type LaneIdentity = Pick<
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
> & { readonly at: number };

/** Adds a lane among its siblings in the order asked. Its first span is the caller's to open. */
export function addLane(trace: Trace, { at, ...identity }: LaneIdentity): Lane {
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
    busySlots: new Set(),
    errors: 0,
    spans: new LaneSpans(),
  };
  trace.lanes.push(lane);
  trace.laneByPath.set(lane.path, lane.index);
  const siblings = (lane.parent === undefined ? undefined : trace.lanes[lane.parent])?.children ?? trace.roots;
  let place = siblings.length;
  while (place > 0 && orderAt(trace, siblings[place - 1]) > lane.order) place--;
  siblings.splice(place, 0, lane.index);
  trace.laneVersion++;
  return lane;
}

function orderAt(trace: Trace, lane: number | undefined): number {
  return lane === undefined ? 0 : (trace.lanes[lane]?.order ?? 0);
}

/** `lead/kid[2]#t7` → 7. */
function stepOrdinal(step: string | undefined): number | undefined {
  const digits = step === undefined ? null : /#[a-z]+(\d+)$/.exec(step);
  return digits === null ? undefined : Number(digits[1]);
}

function stepStatus(status: InstanceStatus): SpanStatus {
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

function toolStatus(result: { readonly isError: boolean; readonly errorCode?: string | undefined }): SpanStatus {
  if (!result.isError) return 'ok';
  if (result.errorCode === 'AGENT_TIMEOUT' || result.errorCode === 'TOOL_TIMEOUT') return 'timeout';
  return result.errorCode === 'AGENT_CANCELLED' ? 'cancelled' : 'error';
}
