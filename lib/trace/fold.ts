/**
 * Events in, spans out: the one fold behind the live view, the timeline, the history and the usage tables.
 *
 *   instance.queued ─┐                        lane (one per instance path)
 *   instance.started ┴▶ queued span │ instance span ──────────────────────▶ instance.ended
 *   model.started … model.ended       model span
 *   tool.started  … tool.ended        tool span (a sub-row of its own while tools overlap; delegations take none)
 *   setup.started … setup.ended       setup span, in a sub-row as a tool; of a server that fails, the run's facts tell
 *   run.resumed                       steps in flight end as `interrupted` at the last sign of life; the next start of
 *                                     the same step is a new span
 *   run.finished                      whatever is open still, ends with the run
 *
 * Total: an event out of order makes a best-effort span, never an exception. Events at or before `lastSeq` are ignored.
 */
import { addUsage, noUsage } from '@/lib/runtime/record/messages';
import { pricedName } from './cost';
import {
  endInstance,
  laneOf,
  noteSession,
  queueInstance,
  refuseInstance,
  startInstance,
  stepStatus,
} from './fold-lanes';
import { closeSpan, openSpan, takeSlot } from './fold-spans';
import type { SlimEvent } from './slim-event';
import type { SpanKind, SpanStatus } from './span';
import { type SpanSource, SpanTable } from './span-table';
import { hookKey, spanDetail, spanName, type Trace } from './trace';

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
      askedAs: {},
      failedStarts: [],
      resumed: [],
    },
    logs: [],
    notes: [],
    hookTotals: new Map(),
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
  const { seq } = event;
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
      startInstance(trace, event, at);
      return;
    case 'instance.ended':
      endInstance(trace, event, at);
      return;
    case 'setup.started':
      startStep(trace, { ...event, attempt: 1 }, at, {
        kind: 'setup',
        name: event.name,
        source: 'none',
        detail: event.what,
      });
      return;
    case 'setup.ended':
      endSetup(trace, event, at);
      return;
    case 'model.started':
      noteAskedName(trace, event);
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
      endTool(trace, event, at);
      return;
    // The bar of the call tells; these are for whoever resumes.
    case 'url.fetched':
    case 'tool.returned':
      return;
    case 'hook.started':
      startStep(trace, event, at, { kind: 'hook', name: event.hook, source: 'none', detail: event.phase });
      return;
    case 'hook.ended':
      endHook(trace, event, at);
      return;
    case 'session.opened':
    case 'session.saved':
      noteSession(trace, event);
      return;
    case 'state.changed': {
      const from = event.from === undefined ? undefined : trace.laneByPath.get(event.from);
      const lane = trace.laneByPath.get(event.path);
      trace.notes.push({ seq, at, lane, kind: 'state', outcome: event.outcome, from });
      if (event.outcome === 'refused') refuseInstance(trace, from, event.reason);
      return;
    }
    case 'artifact.saved': {
      const { name, space, version, mimeType, bytes } = event;
      const lane = trace.laneByPath.get(event.path);
      trace.notes.push({ seq, at, lane, kind: 'artifact', name, space, version, mimeType, bytes });
      return;
    }
    case 'history.merged': {
      const lane = trace.laneByPath.get(event.path);
      trace.notes.push({ seq, at, lane, kind: 'history', target: event.target, agentName: event.agentName });
      return;
    }
    case 'agent.created':
      trace.notes.push({ seq, at, lane: trace.laneByPath.get(event.path), kind: 'agent', name: event.agent.name });
      return;
    case 'groups.activated':
      trace.notes.push({ seq, at, lane: trace.laneByPath.get(event.path), kind: 'groups', groups: event.groups });
      return;
    case 'log': {
      const lane = event.path === undefined ? undefined : trace.laneByPath.get(event.path);
      const { level, code, message, serverName } = event;
      trace.logs.push({ seq, at, level, code, message, lane, serverName });
      return;
    }
    default:
      // A kind that a newer worker knows moves the time, nothing else.
      event satisfies never;
  }
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
    slot: takeSlot(trace, lane, what.kind, what.source),
    attempt: event.attempt,
  });
  trace.steps.set(event.step, span);
}

type Of<K extends SlimEvent['kind']> = Extract<SlimEvent, { kind: K }>;

function noteAskedName({ run }: Trace, { model, provider, modelName }: Of<'model.started'>): void {
  if (provider === undefined || modelName === undefined || Object.hasOwn(run.askedAs, model)) return;
  run.askedAs = { ...run.askedAs, [model]: pricedName(provider, modelName) };
}

function endModel(trace: Trace, event: Of<'model.ended'>, at: number): void {
  const span = trace.steps.get(event.step);
  const lane = laneOf(trace, event.path, at);
  lane.usage = addUsage(lane.usage, event.usage);
  trace.run.usage = addUsage(trace.run.usage, event.usage);
  if (span === undefined) return;
  const model = spanName(trace, span);
  if (event.step.includes('#t') && model !== lane.model) {
    lane.askedUsage = { ...lane.askedUsage, [model]: addUsage(lane.askedUsage?.[model] ?? noUsage, event.usage) };
  }
  trace.spans.inputTokens.data[span] = event.usage.inputTokens;
  trace.spans.outputTokens.data[span] = event.usage.outputTokens;
  const status = event.error === undefined ? 'ok' : event.error.code === 'cancelled' ? 'cancelled' : 'error';
  endStep(trace, event.step, at, status, event.seq);
}

function endSetup(trace: Trace, event: Of<'setup.ended'>, at: number): void {
  const { error, step, seq } = event;
  const span = trace.steps.get(step);
  const isLeft = error?.code === 'cancelled';
  if (span !== undefined && spanDetail(trace, span) === 'server' && !isLeft) {
    const server = spanName(trace, span);
    const agentName = trace.lanes[trace.spans.lane.at(span)]?.agentName ?? '';
    const others = trace.run.failedStarts.filter((one) => one.server !== server || one.agentName !== agentName);
    if (error) trace.run.failedStarts = [...others, { server, agentName, message: error.message, span }];
    // It is there now, for whoever needs it.
    else trace.run.failedStarts = trace.run.failedStarts.filter((one) => one.server !== server);
  }
  endStep(trace, step, at, error === undefined ? 'ok' : isLeft ? 'cancelled' : 'error', seq);
}

function endTool(trace: Trace, event: Of<'tool.ended'>, at: number): void {
  const span = trace.steps.get(event.step);
  if (span !== undefined) {
    if (event.cached === true) trace.spans.mark(span, 'cached');
    if (refusals.has(event.result.errorCode ?? '')) trace.spans.mark(span, 'refused');
  }
  endStep(trace, event.step, at, toolStatus(event.result), event.seq);
}

function endHook(trace: Trace, event: Of<'hook.ended'>, at: number): void {
  const span = trace.steps.get(event.step);
  if (span !== undefined) {
    const around = spanDetail(trace, span) === 'around';
    if (around && !event.calledNext) trace.spans.mark(span, 'stopped');
    if (event.changes.length > 0) trace.spans.mark(span, 'changed');
    countHook(trace, span, event, at);
  }
  endStep(trace, event.step, at, event.error === undefined ? 'ok' : 'error', event.seq);
}

function countHook(trace: Trace, span: number, event: Of<'hook.ended'>, at: number): void {
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const place = Number(/\.h(\d+)$/.exec(event.step)?.[1] ?? 0);
  const key = hookKey(lane?.agentName ?? '', spanDetail(trace, span), place, spanName(trace, span));
  const before = trace.hookTotals.get(key);
  trace.hookTotals.set(key, {
    calls: (before?.calls ?? 0) + 1,
    stopped: (before?.stopped ?? 0) + (trace.spans.has(span, 'stopped') ? 1 : 0),
    failed: (before?.failed ?? 0) + (event.error === undefined ? 0 : 1),
    time: (before?.time ?? 0) + Math.max(0, at - trace.spans.start.at(span)),
  });
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

/** Error codes of calls that were turned away before anything ran. */
const refusals: ReadonlySet<string> = new Set([
  'UNKNOWN_TOOL',
  'INPUT_VALIDATION',
  'DEPTH_EXCEEDED',
  'ATTACHMENT_REFUSED',
  'NOT_ALLOWED',
]);

function toolStatus(result: { readonly isError: boolean; readonly errorCode?: string | undefined }): SpanStatus {
  if (!result.isError) return 'ok';
  if (result.errorCode === 'AGENT_TIMEOUT' || result.errorCode === 'TOOL_TIMEOUT') return 'timeout';
  return result.errorCode === 'AGENT_CANCELLED' ? 'cancelled' : 'error';
}
