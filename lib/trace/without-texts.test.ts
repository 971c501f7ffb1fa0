import { expect, test } from 'vitest';
import {
  brandAs,
  type CallId,
  type CorrelationId,
  type EpochMs,
  type InstancePath,
  type StepKey,
} from '@/lib/base/ids';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { emptyTrace } from './empty-trace';
import { foldEvent } from './fold';
import { withoutTexts } from './without-texts';

const word = 'planted-word';
const path = brandAs<InstancePath>('lead');
const step = brandAs<StepKey>('lead#1');
const correlationId = brandAs<CorrelationId>(word);
const error = { code: 'some_code', message: word };
const at = { path, step };
const callId = brandAs<CallId>('c1');
const message = { role: 'assistant', content: [{ type: 'text', text: word }], toolCalls: [] } as never;
const result = { content: [{ type: 'text' as const, text: word }], isError: true };
const question = { sentence: word, question: { [word]: word }, item: 'i1', what: 'approval', tool: 'search' };

/** An event of every kind, with the word wherever a model, a person, a tool or a file may put one. */
const bodies: { readonly [Kind in EventBody['kind']]: Extract<EventBody, { kind: Kind }> } = {
  'run.started': {
    kind: 'run.started',
    runId: brandAs('r'),
    correlationId,
    entryAgent: 'lead',
    message: word,
    scripted: false,
    attachments: [{ name: word, mediaType: word, bytes: 1 } as never],
    leftOut: [{ kind: 'agent', name: word }],
  },
  'run.resumed': { kind: 'run.resumed', worker: word },
  'run.suspended': { kind: 'run.suspended', open: 1, activeMs: {} },
  'url.fetched': { kind: 'url.fetched', url: word, text: word },
  'instance.queued': {
    kind: 'instance.queued',
    path,
    agentName: 'lead',
    instanceName: 'lead',
    correlationId,
    parentCorrelationId: correlationId,
    depth: 0,
  },
  'instance.started': {
    kind: 'instance.started',
    path,
    input: word,
    model: 'gpt',
    state: { [word]: word },
    cacheKey: word,
  },
  'setup.started': { kind: 'setup.started', ...at, what: 'code', name: word },
  'setup.ended': { kind: 'setup.ended', ...at, error },
  'model.started': {
    kind: 'model.started',
    ...at,
    attempt: 1,
    model: 'gpt',
    messageCount: 1,
    tools: [word],
    request: { messages: [word] } as never,
  },
  'model.ended': { kind: 'model.ended', ...at, message, error, usage: noUsage, requests: 1 },
  'tool.started': {
    kind: 'tool.started',
    ...at,
    attempt: 1,
    callId,
    toolName: 'search',
    source: 'mcp',
    serverName: 'web',
    arguments: { [word]: word },
    correlationId,
  },
  'tool.returned': { kind: 'tool.returned', ...at, callId, result, written: { [word]: word } },
  'tool.ended': { kind: 'tool.ended', ...at, callId, result },
  'state.changed': { kind: 'state.changed', ...at, outcome: 'refused', delta: { [word]: word }, reason: word },
  'artifact.saved': {
    kind: 'artifact.saved',
    ...at,
    space: 'run',
    name: word,
    version: 1,
    mimeType: word,
    bytes: 1,
    hash: word,
    encoding: 'text',
    content: word,
  },
  'session.opened': {
    kind: 'session.opened',
    ...at,
    sessionId: word,
    owner: word,
    mode: 'reuse',
    asked: word,
    version: 1,
  },
  'session.saved': {
    kind: 'session.saved',
    ...at,
    sessionId: word,
    version: 2,
    kept: 0,
    messages: [message],
    state: { [word]: word },
    activeGroups: [],
  },
  'history.merged': { kind: 'history.merged', ...at, target: 'child', agentName: 'lead', messages: [message] },
  'agent.created': {
    kind: 'agent.created',
    ...at,
    agent: { name: 'helper', creator: word, instructions: word, description: word, tools: [word] },
  },
  'workflow.decided': { kind: 'workflow.decided', ...at, decision: { what: 'plan_end', reason: 'complete', steps: 1 } },
  'groups.activated': { kind: 'groups.activated', ...at, groups: ['web'] },
  'hook.started': { kind: 'hook.started', ...at, attempt: 1, hook: `hooks/${word}.py:check`, phase: 'call' },
  'hook.ended': {
    kind: 'hook.ended',
    ...at,
    calledNext: true,
    changes: [{ what: 'result', before: word, after: word }],
    error: word,
  },
  'person.asked': { kind: 'person.asked', ...at, ...question } as never,
  'person.answered': {
    kind: 'person.answered',
    ...at,
    item: brandAs('i1'),
    outcome: 'answered',
    answer: { decision: 'approve', by: word, note: word } as never,
  },
  log: { kind: 'log', level: 'info', code: 'tool_progress', message: word, path, serverName: 'web' },
  'instance.ended': { kind: 'instance.ended', path, status: 'failed', answer: word, error, usage: noUsage },
  'run.finished': {
    kind: 'run.finished',
    status: 'failed',
    answer: word,
    error,
    usage: noUsage,
    failedServers: [{ name: word, message: word }],
  },
};

const imported = { id: word, name: word, attributes: { [word]: word }, missingParent: word };
const stamped = (body: EventBody, seq: number): RunEvent => ({
  ...body,
  seq,
  at: brandAs<EpochMs>(1_000 + seq),
  imported,
});

const decisions: readonly WorkflowDecision[] = [
  { what: 'route', agent: 'lead', confidence: word, reasoning: word, candidates: ['lead'] },
  {
    what: 'rating',
    attempt: 1,
    rating: word,
    feedback: word,
    focusAreas: [word],
    needsImprovement: true,
    minRating: word,
    outcome: 'refine',
  },
  { what: 'plan', iteration: 1, description: word, tasks: [{ agent: 'lead', description: word }], isComplete: false },
  { what: 'plan_end', reason: 'complete', steps: 2 },
  { what: 'vote', sample: 1, answer: word, votes: 1, margin: 1, discarded: word },
  { what: 'votes', samples: 1, discarded: 0, margin: 1, k: 1, votes: [{ answer: word, count: 1 }], outcome: 'won' },
  { what: 'remote_task', taskId: word, contextId: word, state: 'working' },
];

test.each(Object.values(bodies))('without texts, an event $kind has none', (body) => {
  const event = stamped(body, 1);
  expect(JSON.stringify(event)).toContain(body.kind === 'run.suspended' ? 'open' : word);
  const bare = withoutTexts(event, word);
  expect(JSON.stringify(bare)).not.toContain(word);
  expect(bare).toMatchObject({ kind: body.kind, seq: 1, at: 1_001 });
});

test.each(decisions)('without texts, a decision $what has none', (decision) => {
  const bare = withoutTexts(stamped({ ...bodies['workflow.decided'], decision }, 1), word);
  expect(JSON.stringify(bare)).not.toContain(word);
  expect(bare).toMatchObject({ decision: { what: decision.what } });
});

test('a run without texts folds to the same bars', () => {
  const [whole, bare] = [emptyTrace(), emptyTrace()];
  for (const [index, body] of Object.values(bodies).entries()) {
    foldEvent(whole, stamped(body, index + 1));
    foldEvent(bare, withoutTexts(stamped(body, index + 1), word));
  }
  expect(bare.spans.length).toBe(whole.spans.length);
  expect(bare.spans.length).toBeGreaterThan(3);
  expect(bare.lanes.map(({ path, state, errors }) => ({ path, state, errors }))).toEqual(
    whole.lanes.map(({ path, state, errors }) => ({ path, state, errors })),
  );
  expect(bare.run.status).toBe('failed');
  expect(JSON.stringify([bare.strings, bare.logs, bare.notes, bare.run])).not.toContain(word);
});
