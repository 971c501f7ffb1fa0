import { z } from 'zod';
import type { Brand, CorrelationId, EpochMs, InstancePath, RunId, StepKey } from '@/lib/base/ids';
import { leftOutList } from '@/lib/base/left-out-list';
import { runMarks } from '@/lib/base/run-marks-fields';
import { decisionSchema } from './decision-schema';
import type { ArtifactSpace, RunEvent, SessionContent } from './events';
import { assistantMessage, callId, jsonObject, jsonValue, message, toolResult, usage } from './message-schema';
import { itemOutcome, pendingItem, personAnswer, questionShape } from './question-schema';
import type { RecordedRequest } from './recorded-request';

/**
 * Schemas of persisted events, kind by kind. The types in `events.ts` say what the fields mean. The compiler checks this
 * table against them: a missing field or kind does not compile.
 */

type Kind = RunEvent['kind'];
type Of<K extends Kind> = Extract<RunEvent, { kind: K }>;
type Shape<T> = { readonly [F in keyof T]-?: z.ZodType<T[F]> };
type Shapes = { readonly [K in Kind]: Shape<Omit<Of<K>, 'kind' | 'seq' | 'at' | 'imported'>> };

const text = z.string();
const count = z.number();
const strings = z.array(text);
const maybe = text.optional();
const maybeCount = z.number().optional();

/** A branded string. The brand exists only for the compiler. */
function branded<T extends Brand<string, string>>() {
  return z.custom<T>((value) => typeof value === 'string');
}

const correlationId = branded<CorrelationId>();
const path = branded<InstancePath>();
const step = branded<StepKey>();
const at = { path, step };

const error = z.object({ code: text, message: text });
const failedServers = z.array(z.object({ name: text, message: text })).optional();
const cost = { costUsd: maybeCount, unpriced: strings.optional() };
const runStatus = z.enum(['completed', 'failed', 'cancelled']);
const toolSource = z.enum(['mcp', 'function', 'agent', 'runtime']);
const space = z.custom<ArtifactSpace>(
  (value) => typeof value === 'string' && (value === 'run' || value === 'user' || value.startsWith('instance:')),
);
const counts = z.record(text, count);
const activeMs = z.custom<Readonly<Record<InstancePath, number>>>((value) => counts.safeParse(value).success);
const yes = z.literal(true).optional();

export const sessionContent: z.ZodType<SessionContent> = z.object({
  history: z.array(message),
  state: jsonObject,
  activeGroups: strings,
});

const createdAgent = z.object({
  name: text,
  creator: text,
  instructions: text,
  description: maybe,
  model: maybe,
  outputSchema: jsonObject.optional(),
  tools: strings,
});

const sameAs = z.object({ sameAs: step });
const recordedRequest: z.ZodType<RecordedRequest> = z.object({
  instruction: z.union([text, sameAs]),
  tools: z.union([z.array(z.object({ name: text, description: text, inputSchema: jsonObject })), sameAs]),
  kept: z.object({ step, count }).optional(),
  added: z.array(
    z.union([
      z.object({ message }),
      z.object({ input: path }),
      z.object({ answer: step }),
      z.object({ results: step, count }),
    ]),
  ),
  params: jsonObject.optional(),
  format: z.object({ name: text, schema: jsonObject }).optional(),
});

const change = z.object({
  what: z.enum(['arguments', 'result', 'message', 'history', 'conversation', 'appended', 'runner', 'stop']),
  before: jsonValue,
  after: jsonValue,
});

const shapes: Shapes = {
  'run.started': {
    runId: branded<RunId>(),
    correlationId,
    entryAgent: text,
    message: text,
    model: maybe,
    scripted: z.boolean(),
    attachments: z.array(z.object({ name: text, mediaType: text, bytes: count })).optional(),
    leftOut: leftOutList.optional(),
    marks: runMarks.optional(),
  },
  'run.resumed': { worker: text },
  'run.suspended': { open: count, activeMs },
  'url.fetched': { url: text, text },
  'run.finished': {
    status: runStatus,
    answer: maybe,
    error: error.optional(),
    usage,
    agents: z.array(z.object({ agentName: text, usage, ...cost })).optional(),
    failedServers,
    ...cost,
  },
  'instance.queued': {
    path,
    agentName: text,
    instanceName: text,
    parent: path.optional(),
    correlationId,
    parentCorrelationId: correlationId.optional(),
    callId: callId.optional(),
    parentStep: step.optional(),
    depth: count,
    attempt: maybeCount,
    forwarded: z.union([z.literal(false), strings]).optional(),
  },
  'instance.started': {
    path,
    input: text,
    model: maybe,
    state: jsonObject.optional(),
    cacheKey: maybe,
    historyCount: maybeCount,
    maxDisplayInstances: maybeCount,
  },
  'instance.ended': {
    path,
    status: z.enum(['completed', 'failed', 'cancelled', 'timeout']),
    answer: maybe,
    error: error.optional(),
    usage,
    cached: yes,
    ...cost,
  },
  'setup.started': { ...at, what: z.enum(['server', 'code', 'text']), name: text },
  'setup.ended': { ...at, error: error.optional() },
  'model.started': {
    ...at,
    attempt: count,
    model: text,
    provider: maybe,
    modelName: maybe,
    messageCount: count,
    tools: strings,
    request: recordedRequest.optional(),
  },
  'model.ended': {
    ...at,
    message: assistantMessage.optional(),
    error: error.optional(),
    received: z.string().optional(),
    usage,
    costUsd: maybeCount,
    firstTokenMs: maybeCount,
    requests: count,
  },
  'tool.started': {
    ...at,
    attempt: count,
    callId,
    toolName: text,
    source: toolSource,
    serverName: maybe,
    arguments: jsonValue,
    correlationId,
  },
  'tool.ended': { ...at, callId, result: toolResult, cached: yes },
  'tool.returned': { ...at, callId, result: toolResult, written: jsonObject.optional() },
  'state.changed': {
    ...at,
    from: path.optional(),
    outcome: z.enum(['committed', 'discarded', 'refused']),
    delta: jsonObject,
    reason: maybe,
  },
  'artifact.saved': {
    ...at,
    space,
    name: text,
    version: count,
    mimeType: text,
    bytes: count,
    hash: text,
    encoding: z.enum(['text', 'base64']),
    content: text,
  },
  'session.opened': {
    ...at,
    sessionId: text,
    owner: text,
    mode: z.enum(['addressed', 'reuse', 'shared', 'conversation']),
    asked: maybe,
    version: count,
    content: sessionContent.optional(),
  },
  'session.saved': {
    ...at,
    sessionId: text,
    version: count,
    kept: count,
    messages: z.array(message),
    state: jsonObject,
    activeGroups: strings,
  },
  'history.merged': {
    ...at,
    target: z.enum(['child', 'orchestrator']),
    agentName: text,
    messages: z.array(message),
  },
  'agent.created': { ...at, agent: createdAgent },
  'workflow.decided': { ...at, decision: decisionSchema },
  'groups.activated': { ...at, groups: strings },
  'hook.started': { ...at, attempt: count, hook: text, phase: text, around: step.optional() },
  'hook.ended': {
    ...at,
    calledNext: z.boolean(),
    next: z.object({ afterMs: count, ms: count }).optional(),
    changes: z.array(change),
    error: maybe,
  },
  'person.asked': { ...at, ...questionShape },
  'person.answered': { ...at, item: pendingItem, outcome: itemOutcome, answer: personAnswer.optional() },
  log: {
    level: z.enum(['debug', 'info', 'warning', 'error']),
    code: text,
    message: text,
    path: path.optional(),
    serverName: maybe,
    step: step.optional(),
    progress: z.object({ done: count, total: maybeCount }).optional(),
    waitMs: maybeCount,
  },
};

const imported = z.object({
  id: text,
  name: text,
  attributes: jsonObject,
  estimated: strings.optional(),
  missingParent: maybe,
});

const schemas = Object.entries(shapes).map(([kind, shape]) =>
  z.object({
    seq: z.number(),
    at: z.custom<EpochMs>((value) => typeof value === 'number'),
    kind: z.literal(kind),
    imported: imported.optional(),
    ...shape,
  }),
);

export const eventSchema = z.discriminatedUnion('kind', schemas as never) as unknown as z.ZodType<RunEvent>;
