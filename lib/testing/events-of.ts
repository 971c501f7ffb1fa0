import { assert } from '@/lib/base/assert';
import { brandAs, type CallId, type CorrelationId, type EpochMs, type InstancePath, type RunId } from '@/lib/base/ids';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import { stepKey } from '@/lib/runtime/record/step-key';

interface Moment {
  readonly at: number;
  /** The nesting depth: at the same moment, inner spans end before outer ones and start after them. */
  readonly depth: number;
  readonly phase: 'end' | 'start';
  readonly body: EventBody;
}

/**
 * A log in shorthand, times in milliseconds: one argument per instance, the root first.
 *
 *   eventsOf('lead 0-90: model 0-10, model 80-90', 'writer[1] 10-40: time__now 12-20', 'lead/writer[1]/helper[1] 25-')
 *
 * A bare name is a child of the root; a path names its parents. `a-b` runs from a to b, `a-` has not ended, `q>a-b` was queued
 * at q. After the colon come its steps: `model`, or the name of a tool. Calls that start children are added automatically.
 */
export function eventsOf(...lanes: readonly string[]): RunEvent[] {
  const moments: Moment[] = [];
  const calls = new Map<string, number>();
  const [rootName = 'lead'] = (lanes[0] ?? 'lead 0-0').split(' ');
  let rootEnd: number | undefined;

  lanes.forEach((lane, index) => {
    const [head = '', tail = ''] = lane.split(/:\s+/);
    const [name = '', span = ''] = head.trim().split(/\s+/);
    const path = brandAs<InstancePath>(index === 0 || name.includes('/') ? name : `${rootName}/${name}`);
    const { queued, from, to } = parseSpan(span);
    if (index === 0) rootEnd = to;
    const depth = path.split('/').length * 2;
    addInstance(moments, calls, path, depth, queued, from, to);
    let models = 0;
    for (const part of tail.split(',').map((text) => text.trim())) {
      if (part === '') continue;
      const [what = '', when = ''] = part.split(/\s+/);
      if (what === 'model') addModel(moments, path, depth + 1, ++models, parseSpan(when));
      else addTool(moments, path, depth + 1, nextCall(calls, path), what, parseSpan(when));
    }
  });

  const first = Math.min(...moments.map(({ at }) => at));
  const ordered = moments
    .map((moment, index) => ({ ...moment, index }))
    .sort((a, b) => a.at - b.at || (sameThing(a, b) ? a.index - b.index : rank(a) - rank(b) || a.index - b.index));
  const bodies: { at: number; body: EventBody }[] = [
    { at: first, body: runStarted(rootName) },
    ...ordered,
    ...(rootEnd === undefined ? [] : [{ at: rootEnd, body: runFinished }]),
  ];
  return bodies.map(({ at, body }, index) => ({ seq: index + 1, at: brandAs<EpochMs>(at), ...body }));
}

const usage: Usage = { ...noUsage, inputTokens: 10, outputTokens: 5, modelCalls: 1 };
const runFinished: EventBody = { kind: 'run.finished', status: 'completed', answer: 'done', usage };

function runStarted(entryAgent: string): EventBody {
  return {
    kind: 'run.started',
    runId: brandAs<RunId>('run'),
    correlationId: brandAs<CorrelationId>('c0'),
    entryAgent,
    message: 'go',
    scripted: true,
  };
}

/** Returns the order of events at one moment: ends come first, innermost first; then starts, outermost first. */
function rank(moment: Moment): number {
  return moment.phase === 'end' ? -moment.depth : 1_000 + moment.depth;
}

/** True for the start and the end of one span. A span without duration must start before it ends. */
function sameThing(a: Moment, b: Moment): boolean {
  return keyOf(a.body) === keyOf(b.body);
}

function keyOf(body: EventBody): string {
  if ('step' in body && body.step !== undefined) return body.step;
  return 'path' in body ? `${body.path}` : body.kind;
}

function parseSpan(text: string): { queued: number; from: number; to: number | undefined } {
  const match = /^(?:(\d+(?:\.\d+)?)>)?(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)?$/.exec(text);
  assert(match, `'${text}' is not a span like 0-90, 10- or 5>10-20`);
  const [, queued, from = '0', to] = match;
  return { queued: Number(queued ?? from), from: Number(from), to: to === undefined ? undefined : Number(to) };
}

function nextCall(calls: Map<string, number>, path: string): number {
  const next = (calls.get(path) ?? 0) + 1;
  calls.set(path, next);
  return next;
}

function addInstance(
  moments: Moment[],
  calls: Map<string, number>,
  path: InstancePath,
  depth: number,
  queued: number,
  from: number,
  to: number | undefined,
): void {
  const cut = path.lastIndexOf('/');
  const instanceName = path.slice(cut + 1);
  const agentName = instanceName.replace(/\[\d+\]$/, '');
  const parent = cut < 0 ? undefined : brandAs<InstancePath>(path.slice(0, cut));
  const parentStep = parent === undefined ? undefined : stepKey(parent, 't', nextCall(calls, parent));
  const correlationId = brandAs<CorrelationId>(parentStep === undefined ? 'c0' : `c:${path}`);
  if (parent !== undefined && parentStep !== undefined) {
    const call = { path: parent, step: parentStep, callId: brandAs<CallId>(`call:${parentStep}`) };
    const toolName = `agent__${agentName}`;
    const started = { ...call, attempt: 1, toolName, source: 'agent' as const, arguments: {}, correlationId };
    moments.push({ at: queued, depth: depth - 1, phase: 'start', body: { kind: 'tool.started', ...started } });
    if (to !== undefined) {
      const result = { content: [{ type: 'text' as const, text: `${instanceName} is done` }], isError: false };
      moments.push({ at: to, depth: depth - 1, phase: 'end', body: { kind: 'tool.ended', ...call, result } });
    }
  }
  moments.push({
    at: queued,
    depth,
    phase: 'start',
    body: {
      kind: 'instance.queued',
      path,
      agentName,
      instanceName,
      parent,
      correlationId,
      parentStep,
      depth: path.split('/').length - 1,
    },
  });
  const started: EventBody = { kind: 'instance.started', path, input: 'go', model: 'test-model' };
  moments.push({ at: from, depth, phase: 'start', body: started });
  if (to !== undefined) {
    const ended: EventBody = {
      kind: 'instance.ended',
      path,
      status: 'completed',
      answer: `${instanceName} is done`,
      usage,
    };
    moments.push({ at: to, depth, phase: 'end', body: ended });
  }
}

type Span = ReturnType<typeof parseSpan>;

function addModel(moments: Moment[], path: InstancePath, depth: number, n: number, { from, to }: Span): void {
  const step = stepKey(path, 'm', n);
  const model = { model: 'test-model', messageCount: 2 * n - 1, tools: [] };
  moments.push({ at: from, depth, phase: 'start', body: { kind: 'model.started', path, step, attempt: 1, ...model } });
  if (to === undefined) return;
  const message = {
    role: 'assistant' as const,
    content: [{ type: 'text' as const, text: `turn ${n}` }],
    toolCalls: [],
    stopReason: 'end_turn' as const,
  };
  moments.push({ at: to, depth, phase: 'end', body: { kind: 'model.ended', path, step, message, usage, requests: 1 } });
}

function addTool(
  moments: Moment[],
  path: InstancePath,
  depth: number,
  n: number,
  toolName: string,
  { from, to }: Span,
): void {
  const step = stepKey(path, 't', n);
  const call = { path, step, callId: brandAs<CallId>(`call:${step}`) };
  const [serverName] = toolName.split('__');
  const started = { attempt: 1, toolName, source: 'mcp' as const, serverName, arguments: {} };
  const correlationId = brandAs<CorrelationId>(path.includes('/') ? `c:${path}` : 'c0');
  moments.push({ at: from, depth, phase: 'start', body: { kind: 'tool.started', ...call, ...started, correlationId } });
  if (to === undefined) return;
  const result = { content: [{ type: 'text' as const, text: `${toolName} says so` }], isError: false };
  moments.push({ at: to, depth, phase: 'end', body: { kind: 'tool.ended', ...call, result } });
}
