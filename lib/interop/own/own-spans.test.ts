import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { readOtlpJson } from '@/lib/interop/otlp/read-otlp-json';
import { runOfSpans } from '@/lib/interop/run-of-spans';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import type { AssistantMessage, ToolResult } from '@/lib/runtime/record/messages';
import type { RecordedRequest } from '@/lib/runtime/record/recorded-request';
import { runOf } from '@/lib/testing/compared-run';
import { logOfRun, randomRuns } from '@/lib/testing/random-runs';
import {
  answered,
  asked,
  decided,
  ended,
  finish,
  fold,
  log,
  modelOff,
  modelOn,
  queued,
  started,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { tries } from '@/lib/testing/tries';
import { compareRuns } from '@/lib/trace/compare/compare-runs';
import { costOfModels, usageByModel } from '@/lib/trace/cost';
import { notRecorded, notRecordedKey } from '@/lib/trace/not-recorded';
import { OtlpTrace } from '@/lib/trace/otel';
import { otlpText } from '@/lib/trace/otlp-json';
import { payloadsOf } from '@/lib/trace/payloads';
import { summariseRun } from '@/lib/trace/run-summary';
import { shownEvent } from '@/lib/trace/shown-event';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';

const runId = brandAs<RunId>('again');

function exported(events: readonly RunEvent[], texts: boolean) {
  const trace = new OtlpTrace({ texts });
  for (const event of events) trace.add(event);
  return trace.toJson();
}

function again(events: readonly RunEvent[], texts: boolean): readonly RunEvent[] {
  const { spans, rejected } = readOtlpJson(JSON.stringify(exported(events, texts)));
  expect(rejected).toBe(0);
  return runOfSpans(runId, spans.toReversed())?.events ?? [];
}

/** What a reader of a run sees of its lanes. Times are apart. */
const lanesOf = ({ lanes, spans }: Trace) =>
  lanes.map(
    ({ path, agentName, correlationId, parentCorrelationId, callId, parent, depth, order, model, ...lane }) => ({
      ...{ path, agentName, correlationId, parentCorrelationId, callId, parent, depth, order, model },
      ...{ state: lane.state, status: lane.status, errors: lane.errors, attempt: lane.attempt, cached: lane.cached },
      ...{ error: lane.error, children: lane.children, calls: lane.usage.modelCalls },
      tokens: [lane.usage.inputTokens, lane.usage.outputTokens, lane.usage.cachedInputTokens],
      by: lane.parentSpan === undefined ? undefined : spans.kindOf(lane.parentSpan),
    }),
  );

const spansOf = (trace: Trace, withNames: boolean) => {
  const { spans } = trace;
  return Array.from({ length: spans.length }, (_, span) => {
    const kind = spans.kindOf(span);
    const isText = kind === 'waiting' || kind === 'decision';
    return {
      ...{ kind, status: spans.statusOf(span), source: spans.sourceOf(span), lane: spans.lane.at(span) },
      ...{ parent: spans.parent.at(span), name: isText && !withNames ? '' : spanName(trace, span) },
      ...{ detail: spanDetail(trace, span), slot: spans.slot.at(span), attempt: spans.attempt.at(span) },
      ...{ flags: spans.flags.at(span), input: spans.inputTokens.at(span), output: spans.outputTokens.at(span) },
    };
  });
};

const timesOf = (trace: Trace) =>
  [
    trace.lastAt,
    ...Array.from({ length: trace.spans.length }, (_, span) => [trace.spans.start.at(span), trace.spans.end.at(span)]),
    ...trace.run.suspended.map(({ at, until = 0 }) => [at, until]),
    ...trace.run.resumed,
  ].flat();

function expectSame(events: readonly RunEvent[], texts: boolean): Trace {
  const [before, after] = [fold(events), fold(again(events, texts))];
  expect(lanesOf(after)).toEqual(lanesOf(before));
  expect(spansOf(after, texts)).toEqual(spansOf(before, texts));
  const [timesBefore, timesAfter] = [timesOf(before), timesOf(after)];
  expect(timesAfter.length).toBe(timesBefore.length);
  for (const [place, at] of timesBefore.entries()) expect(Math.abs(at - (timesAfter[place] ?? 0))).toBeLessThan(3);
  expect([after.run.status, after.run.error]).toEqual([before.run.status, before.run.error]);
  const [cost, costAgain] = [before, after].map((trace) => costOfModels(usageByModel(trace)));
  expect(costAgain?.usd).toBeCloseTo(cost?.usd ?? 0, 8);
  expect(costAgain?.unpriced).toEqual(cost?.unpriced);
  const { costUsd: _, parts: __, ...sums } = summariseRun(before);
  const { costUsd: ___, parts: ____, ...sumsAgain } = summariseRun(after);
  for (const [key, value] of Object.entries(sums)) {
    const found: unknown = Reflect.get(sumsAgain, key);
    if (typeof value === 'number' && typeof found === 'number')
      expect([key, Math.abs(value - found) < 0.01]).toEqual([key, true]);
    else expect([key, found]).toEqual([key, value]);
  }
  return after;
}

/** What each event says in words. Ids of the run and notes of the import are apart. */
const saidIn = (events: readonly RunEvent[]) =>
  events.flatMap((event): readonly (readonly unknown[])[] => {
    switch (event.kind) {
      case 'instance.started':
        return [[event.path, event.input]];
      case 'instance.ended':
        return [[event.path, event.answer, event.error]];
      case 'model.started':
        return [[event.step, event.request]];
      case 'model.ended':
        return [[event.step, event.message, event.error]];
      case 'tool.started':
        return [[event.step, event.arguments]];
      case 'tool.ended':
        return [[event.step, event.result]];
      case 'hook.ended':
        return [[event.step, event.changes, event.error]];
      case 'person.asked':
        return [[event.step, event.sentence, event.arguments]];
      case 'person.answered':
        return [[event.step, event.outcome, event.answer]];
      case 'workflow.decided':
        return [[event.step, event.decision]];
      case 'run.started':
        return [[event.message]];
      case 'run.finished':
        return [[event.answer, event.error]];
      default:
        return [];
    }
  });

/** A start of a delegation after a crash goes on with the earlier one, and has no span of its own. */
const withoutRestarts = (events: readonly RunEvent[]) => {
  const open = new Set<string>();
  return events.filter((event) => {
    if (event.kind === 'tool.ended') open.delete(event.step);
    if (event.kind !== 'tool.started' || event.source !== 'agent') return true;
    if (open.has(event.step)) return false;
    open.add(event.step);
    return true;
  });
};

const revived = <T>(value: T): T => {
  const copy: T = JSON.parse(JSON.stringify(value));
  return copy;
};

test('property: a run that is exported with texts and imported again is the same run', async () => {
  const all = 240;
  const seen = { errors: 0, crashes: 0, questions: 0, costs: 0 };
  await fc.assert(
    fc.asyncProperty(randomRuns, async (random) => {
      const events = await logOfRun(random);
      if (!events.some(({ kind }) => kind === 'instance.queued')) return;
      expectSame(events, true);
      const imported = again(events, true);
      expect(revived(saidIn(imported))).toEqual(revived(saidIn(withoutRestarts(events).map(shownEvent))));
      expect(compareRuns(runOf(events), runOf(imported)).differences).toEqual([]);
      const of = (kind: RunEvent['kind']) => events.filter((event) => event.kind === kind).length;
      seen.errors += fold(events).lanes.reduce((sum, { errors }) => sum + errors, 0);
      seen.crashes += of('run.resumed');
      seen.questions += of('person.answered');
      seen.costs += costOfModels(usageByModel(fold(events))).usd > 0 ? 1 : 0;
    }),
    { numRuns: tries(all), timeout: 20_000, endOnFailure: true },
  );
  // One run in eight has a question, so a quarter of them may have none.
  const missing = Object.entries(seen).filter(([, count]) => count === 0);
  if (tries(all) === all) expect(missing).toEqual([]);
}, 120_000);

test('property: without texts it has the same lanes, calls, times, tokens, cost and errors, and does not differ', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns, async (random) => {
      const events = await logOfRun(random);
      if (!events.some(({ kind }) => kind === 'instance.queued')) return;
      expectSame(events, false);
      const [own, bare] = [runOf(events), runOf(again(events, false))];
      expect(compareRuns(own, bare).differences).toEqual([]);
      expect(compareRuns(bare, own).differences).toEqual([]);
    }),
    { numRuns: tries(60), timeout: 20_000, endOnFailure: true },
  );
}, 120_000);

const marks = { user: 'u-1', tags: ['a', 'b,c'], metadata: { tier: 'gold' } };
const marked: EventBody = {
  ...{ kind: 'run.started', runId: brandAs('r1'), correlationId: brandAs('c1'), entryAgent: 'lead', message: 'hello' },
  scripted: true,
  marks,
};
const retry: EventBody = {
  ...{ kind: 'log', level: 'warning', code: 'model_retry', message: 'Too many requests.', path: brandAs('lead') },
  ...{ step: brandAs('lead#m1'), waitMs: 1_500 },
};
const route: EventBody = decided('lead', 1, {
  ...{ what: 'route', agent: 'kid', confidence: 'high', reasoning: 'It asks for a poem.', candidates: ['kid', 'poet'] },
});

/** Waits for a person over a suspension, decides, repeats a request, and has marks. */
const waited = log(
  [0, marked],
  [1, queued('lead')],
  [5.5, started('lead')],
  [6, modelOn('lead', 1)],
  [7, retry],
  [9, modelOff('lead', 1)],
  [9, route],
  [10, toolOn('lead', 1, 'mail__send')],
  [11, asked('lead', 1)],
  [12, { kind: 'run.suspended', open: 1, activeMs: {} }],
  [9_000, { kind: 'run.resumed', worker: 'w2' }],
  [9_500, answered('lead', 1, 'deny', 'Not today.')],
  [9_501, toolOff('lead', 1, true)],
  [9_502, ended('lead')],
  [9_503, finish],
);

test.each([true, false])('waits, decisions of people, retries and marks come again (texts: %s)', (texts) => {
  const events = again(waited, texts);
  const trace = expectSame(waited, texts);
  expect(trace.logs.map(({ code, wait }) => [code, wait])).toContainEqual(['model_retry', 1_500_000]);
  expect(events.find(({ kind }) => kind === 'run.started')).toMatchObject({ marks });
  expect(events.find(({ kind }) => kind === 'person.answered')).toMatchObject({
    outcome: 'answered',
    answer: { decision: 'deny', by: 'Ann', via: 'web', ...(texts && { note: 'Not today.' }) },
  });
  expect(trace.run.suspended).toHaveLength(1);
  const words = JSON.stringify(exported(waited, texts));
  for (const text of ['Not today.', 'It asks for a poem.', 'do it']) expect(words.includes(text)).toBe(texts);
});

test('what was not exported is named, and is no empty text', () => {
  const call = again(waited, false).find((event) => event.kind === 'tool.started');
  expect([...notRecorded(call?.imported)]).toEqual(['arguments', 'result']);
  const parts = call === undefined ? [] : payloadsOf(call).map(({ title, value }) => [title, value]);
  expect(parts).toEqual([['Not recorded by the source', 'arguments, result']]);
  expect(notRecorded(again(waited, true).find((event) => event.kind === 'tool.started')?.imported).size).toBe(0);
});

test('an answer that a hook gave in place of an instance that timed out is no difference without texts', () => {
  const error = { code: 'agent_timeout', message: 'It timed out.' } as const;
  const late = waited.map(
    (event): RunEvent =>
      event.kind === 'instance.ended' ? { ...event, status: 'timeout', error, answer: 'Instead.' } : event,
  );
  const bare = again(late, false);
  expect(compareRuns(runOf(late), runOf(bare)).differences).toEqual([]);
  expect(JSON.stringify(bare)).not.toContain('callboard.answered');
  const other = late.map(
    (event): RunEvent => (event.kind === 'instance.ended' ? { ...event, answer: undefined } : event),
  );
  expect(compareRuns(runOf(late), runOf(other)).differences).toHaveLength(1);
});

const password = '{"password": "hunter2", "user": "ann"}';
const secretAnswer: AssistantMessage = {
  ...{ role: 'assistant', content: [{ type: 'text', text: password }], reasoning: password, stopReason: 'tool_use' },
  toolCalls: [{ id: brandAs('c1'), name: 'mail__send', argumentsText: password }],
};
const secretResult: ToolResult = {
  ...{ content: [{ type: 'text', text: password }], isError: false },
  structuredContent: { password: 'hunter2' },
};
const secretRequest: RecordedRequest = {
  ...{ instruction: 'Be brief.', tools: [], params: { api_key: 'hunter2', top_k: 3 } },
  added: [
    { message: { role: 'user', content: [{ type: 'text', text: password }] } },
    { message: secretAnswer },
    { message: { role: 'tool', results: [{ callId: brandAs('c1'), result: secretResult }] } },
  ],
};
const withSecrets = waited.map((event): RunEvent => {
  if (event.kind === 'run.started') return { ...event, message: password };
  if (event.kind === 'instance.started') return { ...event, input: password };
  if (event.kind === 'model.started') return { ...event, request: secretRequest };
  if (event.kind === 'model.ended') return { ...event, message: secretAnswer, received: password };
  if (event.kind === 'tool.ended') return { ...event, result: secretResult };
  if (event.kind === 'instance.ended' || event.kind === 'run.finished') return { ...event, answer: password };
  return event;
});

test('an export has messages without their secrets, as they are shown, and the same run again does not differ', () => {
  const words = JSON.stringify(exported(withSecrets, true));
  expect([words.includes('hunter2'), words.includes('ann')]).toEqual([false, true]);
  const imported = again(withSecrets, true);
  expect(revived(saidIn(imported))).toEqual(revived(saidIn(withSecrets.map(shownEvent))));
  expect(compareRuns(runOf(withSecrets), runOf(imported)).differences).toEqual([]);
  expect(imported.find(({ kind }) => kind === 'model.ended')).toMatchObject({
    message: { toolCalls: [{ argumentsText: '{"password": "[redacted]", "user": "ann"}' }] },
  });
});

test('what a collector adds to spans is kept, without secrets, and a long correlation id is cut', () => {
  const long = waited.map((event) =>
    event.kind === 'run.started' ? { ...event, correlationId: brandAs<CorrelationId>('c'.repeat(600)) } : event,
  );
  const { spans } = readOtlpJson(JSON.stringify(exported(long, false)));
  const added = spans.map((span) => ({
    ...span,
    attributes: { ...span.attributes, 'deploy.api_key': 'hunter2', 'deploy.zone': 'a' },
    resource: { ...span.resource, 'host.name': 'h1', 'host.token': 'hunter2' },
    more: { ...span.more, 'span.trace_state': 'x=1' },
    events: [...span.events, { name: 'queue.delay', at: span.start, attributes: { ms: 5, 'api.token': 'hunter2' } }],
  }));
  const run = runOfSpans(runId, added);
  const events = run?.events ?? [];
  const of = (kind: RunEvent['kind']) => events.find((event) => event.kind === kind)?.imported?.attributes;
  const everywhere = { 'deploy.api_key': '[redacted]', 'deploy.zone': 'a', 'span.trace_state': 'x=1' };
  const started = spans.find((span) => span.attributes['gen_ai.operation.name'] === 'chat')?.start;
  const delay = { name: 'queue.delay', at: started, attributes: { ms: 5, 'api.token': '[redacted]' } };
  expect(of('model.started')).toEqual({ ...everywhere, 'span.events': [delay], [notRecordedKey]: ['answer'] });
  expect(of('instance.started')).toMatchObject({
    ...everywhere,
    resource: { 'host.name': 'h1', 'host.token': '[redacted]' },
    scope: 'callboard',
  });
  expect(JSON.stringify(events)).not.toContain('hunter2');
  expect([run?.correlationId, events[0]]).toMatchObject(['c'.repeat(500), { correlationId: 'c'.repeat(500) }]);
});

test('a run that goes on ends where its spans end, and spans that arrive alone are a run', () => {
  const half = again(waited.slice(0, 9), true);
  expect(half.at(-1)).toMatchObject({ kind: 'run.finished', status: 'cancelled' });
  const { spans } = readOtlpJson(JSON.stringify(exported(waited, true)));
  const alone =
    runOfSpans(
      runId,
      spans.filter(({ name }) => name.startsWith('chat')),
    )?.events ?? [];
  expect(fold(alone).lanes.map(({ path }) => path)).toEqual(['lead']);
});

test('spans of Callboard among those of others are read as those of others', () => {
  const { spans } = readOtlpJson(JSON.stringify(exported(waited, false)));
  const [first] = spans;
  if (first === undefined) throw new Error('no span');
  const other = { ...first, spanId: 'f'.repeat(16), parentId: first.spanId, scope: 'mine', attributes: {}, events: [] };
  const events = runOfSpans(runId, [...spans, other])?.events ?? [];
  expect(events.flatMap(({ imported }) => imported?.id ?? [])).toContain('f'.repeat(16));
  const damaged = spans.map((span) => ({ ...span, attributes: { ...span.attributes, 'callboard.tool_source': 7 } }));
  expect(runOfSpans(runId, damaged)?.events.length).toBeGreaterThan(3);
});

test('the file is the JSON of the traces', async () => {
  const json = exported(waited, true);
  let text = '';
  for await (const part of otlpText(json)) text += part;
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(json)));
});
