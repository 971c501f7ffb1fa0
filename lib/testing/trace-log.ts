import { brandAs } from '@/lib/base/ids';
import type { Decision } from '@/lib/base/pending';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { EventBody, InstanceStatus, RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import type { SlimEvent } from '@/lib/trace/slim-event';
import type { Trace } from '@/lib/trace/trace';

/** Makes single events for tests of the fold, in any order. `eventsOf` makes the events of a whole run. */

export const origin = 1_700_000_000_000;

/** Adds seq and time to bodies: `[milliseconds since the start, body]`. */
export function log(...bodies: readonly (readonly [number, EventBody])[]): RunEvent[] {
  return bodies.map(([ms, body], i) => ({ seq: i + 1, at: brandAs(origin + ms), ...body }));
}

export const usage = (inputTokens: number, outputTokens: number) => ({
  ...noUsage,
  inputTokens,
  outputTokens,
  modelCalls: 1,
});

export const begin: EventBody = {
  kind: 'run.started',
  runId: brandAs('r1'),
  correlationId: brandAs('c1'),
  entryAgent: 'lead',
  message: 'hello',
  scripted: true,
};
export const finish: EventBody = { kind: 'run.finished', status: 'completed', answer: 'done', usage: usage(3, 4) };

export function queued(path: string, parentStep?: string): EventBody {
  const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined;
  const instanceName = path.slice(path.lastIndexOf('/') + 1);
  return {
    kind: 'instance.queued',
    path: brandAs(path),
    agentName: instanceName.replace(/\[\d+\]$/, ''),
    instanceName,
    parent: above === undefined ? undefined : brandAs(above),
    correlationId: brandAs(`corr-${instanceName}`),
    parentStep: parentStep === undefined ? undefined : brandAs(parentStep),
    depth: path.split('/').length - 1,
  };
}
export const started = (path: string): EventBody => ({
  kind: 'instance.started',
  path: brandAs(path),
  input: 'do it',
  model: 'm',
});
export const ended = (path: string, status: InstanceStatus = 'completed'): EventBody => ({
  kind: 'instance.ended',
  path: brandAs(path),
  status,
  answer: 'ok',
  usage: usage(3, 4),
});
/** A question of the n-th call. The same path, n and step give the same item. */
export const asked = (path: string, n: number, step = `${path}#t${n}`): EventBody => ({
  kind: 'person.asked',
  path: brandAs(path),
  step: brandAs(step),
  item: brandAs(`item-${path}-${n}`),
  what: 'approval',
  sentence: `Call tool 'send${n}'`,
});
/** Without a decision nobody answered in time. */
export const answered = (path: string, n: number, decision?: Decision, note?: string): EventBody => ({
  kind: 'person.answered',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  item: brandAs(`item-${path}-${n}`),
  ...(decision === undefined
    ? { outcome: 'expired' }
    : { outcome: 'answered', answer: { decision, by: 'Ann', via: 'web', ...(note !== undefined && { note }) } }),
});
export const modelOn = (path: string, n: number, attempt = 1): EventBody => ({
  kind: 'model.started',
  path: brandAs(path),
  step: brandAs(`${path}#m${n}`),
  attempt,
  model: 'gpt',
  messageCount: 1,
  tools: [],
});
export const modelOff = (path: string, n: number): EventBody => ({
  kind: 'model.ended',
  path: brandAs(path),
  step: brandAs(`${path}#m${n}`),
  usage: usage(3, 4),
  requests: 1,
});
export const toolOn = (
  path: string,
  n: number,
  toolName = 'time',
  source: 'mcp' | 'function' | 'agent' | 'runtime' = 'mcp',
  attempt = 1,
): EventBody => ({
  kind: 'tool.started',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  attempt,
  callId: brandAs(`call-${n}`),
  toolName,
  source,
  arguments: { n },
  correlationId: brandAs('c'),
});
export const toolOff = (path: string, n: number, isError = false): EventBody => ({
  kind: 'tool.ended',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  callId: brandAs(`call-${n}`),
  result: { content: [], isError, errorCode: isError ? 'TOOL_TIMEOUT' : undefined },
});

export function fold(events: readonly SlimEvent[], trace = emptyTrace()): Trace {
  for (const event of events) foldEvent(trace, event);
  return trace;
}

export const hookOn = (path: string, n: number, phase = 'around', around?: string): EventBody => ({
  kind: 'hook.started',
  path: brandAs(path),
  step: brandAs(`${path}#h${n}`),
  attempt: 1,
  hook: `hooks.py:h${n}`,
  phase,
  around: around === undefined ? undefined : brandAs(around),
});
export const hookOff = (
  path: string,
  n: number,
  calledNext = true,
  changed = false,
  next?: { afterMs: number; ms: number },
): EventBody => ({
  kind: 'hook.ended',
  path: brandAs(path),
  step: brandAs(`${path}#h${n}`),
  calledNext,
  ...(next && { next }),
  changes: changed ? [{ what: 'arguments', before: { city: 'paris' }, after: { city: 'Paris' } }] : [],
});
export const stateChange = (path: string, n: number, from?: string): Extract<EventBody, { kind: 'state.changed' }> => ({
  kind: 'state.changed',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  from: from === undefined ? undefined : brandAs(from),
  outcome: 'committed',
  delta: { n },
});
export const artifact = (path: string, n: number): EventBody => ({
  kind: 'artifact.saved',
  path: brandAs(path),
  step: brandAs(`${path}#t${n}`),
  space: 'run',
  name: 'report.md',
  version: n,
  mimeType: 'text/markdown',
  bytes: 5,
  hash: 'ab',
  encoding: 'text',
  content: 'hello',
});
export const decided = (path: string, n: number, decision: WorkflowDecision): EventBody => ({
  kind: 'workflow.decided',
  path: brandAs(path),
  step: brandAs(`${path}#d${n}`),
  decision,
});
export const vote = (
  sample: number,
  answer: string,
  votes: number,
  margin: number,
): WorkflowDecision & { what: 'vote' } => ({
  what: 'vote',
  sample,
  answer,
  votes,
  margin,
});
