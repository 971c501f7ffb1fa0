import { addUsage, noUsage } from '@/lib/runtime/record/messages';
import { hookPlace } from '@/lib/runtime/record/step-key';
import { pricedName } from './cost';
import { isFailed } from './failures';
import { hasFailedChild, laneOf } from './fold-lanes';
import { askingCalls } from './fold-questions';
import { closeSpan, openSpan, takeSlot } from './fold-spans';
import { suspendedSince } from './questions';
import type { SlimEvent } from './slim-event';
import type { SpanKind, SpanStatus } from './span';
import type { SpanSource } from './span-table';
import { hookKey, spanDetail, spanName, type Trace } from './trace';

type Of<K extends SlimEvent['kind']> = Extract<SlimEvent, { kind: K }>;

/** The start or the end of a setup, a model call, a tool call or a hook. */
export type StepEvent = Of<`${'setup' | 'model' | 'tool' | 'hook'}.${'started' | 'ended'}`>;

export function foldStep(trace: Trace, event: StepEvent, at: number): void {
  switch (event.kind) {
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
    case 'hook.started':
      startStep(trace, event, at, { kind: 'hook', name: event.hook, source: 'none', detail: event.phase });
      return;
    case 'hook.ended':
      endHook(trace, event, at);
      return;
    default:
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
    // A delegation that starts again after a crash goes on, because its child does.
    if (what.source === 'agent') return;
    closeSpan(trace, earlier, at, 'interrupted', 0);
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

function noteAskedName({ run }: Trace, { model, provider, modelName }: Of<'model.started'>): void {
  if (provider === undefined || modelName === undefined || Object.hasOwn(run.askedAs, model)) return;
  run.askedAs = { ...run.askedAs, [model]: pricedName(provider, modelName) };
}

function endModel(trace: Trace, event: Of<'model.ended'>, at: number): void {
  const span = trace.steps.get(event.step);
  const lane = laneOf(trace, event.path, at);
  // Logs of older versions count answered calls only.
  const usage = { ...event.usage, modelCalls: 1 };
  // The end of an instance counts calls that end after it too, as clocks of imported runs may have it.
  if (lane.state !== 'ended') lane.usage = addUsage(lane.usage, usage);
  trace.run.usage = addUsage(trace.run.usage, usage);
  if (span === undefined) return;
  const model = spanName(trace, span);
  if (model !== lane.model) {
    lane.askedUsage = { ...lane.askedUsage, [model]: addUsage(lane.askedUsage?.[model] ?? noUsage, usage) };
  }
  trace.spans.inputTokens.data[span] = event.usage.inputTokens;
  trace.spans.outputTokens.data[span] = event.usage.outputTokens;
  trace.spans.cachedTokens.data[span] = event.usage.cachedInputTokens;
  trace.spans.reasoningTokens.data[span] = event.usage.reasoningTokens;
  trace.spans.firstToken.data[span] = us(event.firstTokenMs ?? 0);
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
    // A server that starts runs for all agents.
    const failed = error
      ? [...others, { server, agentName, message: error.message, span }]
      : trace.run.failedStarts.filter((one) => one.server !== server);
    if (error || failed.length < trace.run.failedStarts.length) {
      trace.run.failedStarts = failed;
      trace.run.startChanges.push({ at, failed });
    }
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
    if (event.next) trace.spans.below.set(span, { at: us(event.next.afterMs), for: us(event.next.ms) });
    countHook(trace, span, event, at);
  }
  endStep(trace, event.step, at, event.error === undefined ? 'ok' : 'error', event.seq);
}

function countHook(trace: Trace, span: number, event: Of<'hook.ended'>, at: number): void {
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const key = hookKey(lane?.agentName ?? '', spanDetail(trace, span), hookPlace(event.step), spanName(trace, span));
  const before = trace.hookTotals.get(key);
  const time = Math.max(0, at - trace.spans.start.at(span));
  trace.hookTotals.set(key, {
    calls: (before?.calls ?? 0) + 1,
    stopped: (before?.stopped ?? 0) + (trace.spans.has(span, 'stopped') ? 1 : 0),
    failed: (before?.failed ?? 0) + (event.error === undefined ? 0 : 1),
    time: (before?.time ?? 0) + time,
    own: (before?.own ?? 0) + Math.max(0, time - us(event.next?.ms ?? 0)),
  });
}

function us(ms: number): number {
  return Math.round(ms * 1000);
}

function endStep(trace: Trace, step: string, at: number, status: SpanStatus, seq: number): void {
  const span = trace.steps.get(step);
  if (span === undefined) return;
  trace.steps.delete(step);
  const lane = trace.lanes[trace.spans.lane.at(span)];
  if (lane !== undefined && isFailed(status) && !hasFailedChild(trace, span, step)) lane.errors++;
  closeSpan(trace, span, at, status, seq);
}

/**
 * Ends open steps after a crash. Delegations stay open, because their children are resumed as instances. So do calls that wait for
 * a person and, after a suspension, all calls, because they do not start again.
 */
export function interruptSteps(trace: Trace): void {
  const { spans, steps } = trace;
  const asking = askingCalls(trace);
  const isSuspended = suspendedSince(trace) !== undefined;
  for (const span of steps.values()) {
    const kind = spans.kindOf(span);
    if (spans.statusOf(span) !== 'open' || spans.sourceOf(span) === 'agent' || kind === 'waiting') continue;
    if (kind === 'tool' && (isSuspended || asking.has(span))) continue;
    closeSpan(trace, span, trace.lastAt, 'interrupted', 0);
  }
}

/** Error codes of calls that were refused before anything ran. */
const refusals: ReadonlySet<string> = new Set([
  'UNKNOWN_TOOL',
  'INPUT_VALIDATION',
  'DEPTH_EXCEEDED',
  'ATTACHMENT_REFUSED',
  'NOT_ALLOWED',
  'APPROVAL_BLOCKED',
  'APPROVAL_DENIED',
]);

function toolStatus(result: { readonly isError: boolean; readonly errorCode?: string | undefined }): SpanStatus {
  if (!result.isError) return 'ok';
  if (result.errorCode === 'AGENT_TIMEOUT' || result.errorCode === 'TOOL_TIMEOUT') return 'timeout';
  return result.errorCode === 'AGENT_CANCELLED' ? 'cancelled' : 'error';
}
