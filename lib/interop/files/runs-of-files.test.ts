import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import { eventFormat, readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import { eventLogHeader } from './event-log';
import { runsOfFiles } from './runs-of-files';

const runId = brandAs<RunId>('run');
const t0 = Date.parse('2026-07-12T12:00:00Z');

function eventsOf(files: Readonly<Record<string, unknown>>): readonly RunEvent[] {
  const texts = Object.entries(files).map(
    ([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  const { runs, ignored } = runsOfFiles(new Map(texts), t0);
  expect([runs.length, ignored]).toEqual([1, []]);
  const events = runs[0]?.make(runId).events ?? [];
  for (const event of events)
    expect(readEventRecord(eventFormat, JSON.stringify(event))).toEqual(JSON.parse(JSON.stringify(event)));
  return events;
}

/** Starts and ends of steps, in seconds. */
const outline = (events: readonly RunEvent[]) =>
  events.flatMap((event) => {
    const at = (event.at - t0) / 1000;
    if (event.kind === 'instance.queued') return [`${at} + ${event.path}`];
    if (event.kind === 'instance.ended') return [`${at} - ${event.path}`];
    if (event.kind === 'model.started' || event.kind === 'tool.started') return [`${at} + ${event.step}`];
    return event.kind === 'model.ended' || event.kind === 'tool.ended' ? [`${at} - ${event.step}`] : [];
  });

const agentStep = (id: number, seconds: number, more: object = {}) => ({
  ...{ step_id: id, timestamp: `2026-07-12T12:00:0${seconds}Z`, source: 'agent', message: `said ${id}` },
  ...{ metrics: { prompt_tokens: 10, completion_tokens: 2 }, ...more },
});
const child = {
  ...{ schema_version: 'ATIF-v1.7', trajectory_id: 't2', agent: { name: 'kid[1]' } },
  steps: [
    { step_id: 1, timestamp: '2026-07-12T12:00:02Z', source: 'user', message: 'look' },
    agentStep(2, 4, { extra: { duration_ms: 1500 } }),
  ],
};
const atif = {
  ...{ schema_version: 'ATIF-v1.7', session_id: 's1', trajectory_id: 't1' },
  agent: { name: 'fast-agent', version: '1', model_name: 'gpt-5', extra: { target_agent: 'dev' } },
  steps: [
    { step_id: 1, timestamp: '2026-07-12T12:00:00Z', source: 'user', message: 'Inspect' },
    agentStep(2, 2, {
      tool_calls: [
        { tool_call_id: 'c1', function_name: 'agent__kid', arguments: { message: 'look' } },
        { tool_call_id: 'c2', function_name: 'shell', arguments: { command: 'pwd' } },
      ],
      observation: {
        results: [
          { source_call_id: 'c1', content: 'seen', subagent_trajectory_ref: [{ trajectory_id: 't2' }] },
          { source_call_id: 'c2', content: 'no such command', extra: { is_error: true } },
        ],
      },
    }),
    agentStep(3, 6, { extra: { duration_ms: 1000 } }),
  ],
  subagent_trajectories: [child],
};

test('an ATIF trajectory with a child agent becomes a run', () => {
  const events = eventsOf({ 'trajectory.json': atif });
  expect(outline(events)).toEqual([
    ...['0 + dev', '0 + dev#m1', '2 - dev#m1', '2 + dev#t1', '2 + dev/kid[1]', '2 + dev#t2', '2.5 + dev/kid[1]#m1'],
    ...['4 - dev/kid[1]#m1', '4 - dev/kid[1]', '5 - dev#t1', '5 - dev#t2', '5 + dev#m2', '6 - dev#m2', '6 - dev'],
  ]);
  expect(events[0]).toMatchObject({ kind: 'run.started', entryAgent: 'dev', message: 'Inspect', correlationId: 's1' });
  expect(events.at(-1)).toMatchObject({
    status: 'completed',
    answer: 'said 3',
    usage: { inputTokens: 30, outputTokens: 6, modelCalls: 3 },
  });
  const calls = events.filter(({ kind }) => kind === 'tool.started');
  expect(calls).toMatchObject([
    { source: 'agent', callId: 'c1' },
    { source: 'function', callId: 'c2', arguments: { command: 'pwd' } },
  ]);
  expect(events.find((event) => event.kind === 'tool.ended' && event.callId === 'c2')).toMatchObject({
    result: { isError: true, content: [{ type: 'text', text: 'no such command' }] },
  });
  const models = events.filter(({ kind }) => kind === 'model.started').map(({ imported }) => imported?.estimated);
  expect(models).toEqual([['start'], undefined, undefined]);
});

const block = (text: string) => [{ type: 'text', text }];
const session = {
  'session.json': {
    ...{
      schema_version: 4,
      session_id: '2607121200-abc123',
      created_at: '2026-07-12T12:00:00',
      metadata: { title: 'A title' },
    },
    continuation: { active_agent: 'PMO', agents: { PMO: { model: 'gpt-5' } } },
  },
  'history_PMO.json': {
    messages: [
      { role: 'user', content: block('Plan'), timestamp: '2026-07-12T12:00:00Z' },
      {
        ...{ role: 'assistant', content: [], timestamp: '2026-07-12T12:00:02Z', stop_reason: 'toolUse' },
        tool_calls: { c1: { method: 'tools/call', params: { name: 'agent__NY', arguments: { message: 'go' } } } },
        channels: {
          'fast-agent-timing': block('{"duration_ms":1000,"ttft_ms":300}'),
          'fast-agent-usage': block(
            '{"provider_attempts":[{"provider":"openai","model":"gpt-5","prompt":{"total":9,"cache_read":4},"completion":{"total":3,"reasoning":1},"cost_usd":0.01}]}',
          ),
        },
      },
      {
        role: 'user',
        content: [],
        tool_results: { c1: { content: block('done'), isError: false } },
        timestamp: '2026-07-12T12:00:05Z',
      },
      {
        role: 'assistant',
        content: block('All planned'),
        timestamp: '2026-07-12T12:00:07Z',
        stop_reason: 'endTurn',
        channels: { 'fast-agent-timing': block('{"duration_ms":1500}') },
      },
    ],
  },
  'trajectories/c1_NY_1.json': {
    ...{
      schema_version: 1,
      trajectory_id: 'traj_1',
      parent_agent_name: 'PMO',
      parent_tool_call_id: 'c1',
      agent_name: 'NY[1]',
    },
    ...{ started_at: '2026-07-12T12:00:02.500Z', completed_at: '2026-07-12T12:00:05Z', rendered_child_input: 'go' },
    messages: [
      { role: 'user', content: block('go') },
      { role: 'assistant', content: block('done'), timestamp: '2026-07-12T12:00:04Z', stop_reason: 'endTurn' },
    ],
  },
};

test('a session folder of fast-agent becomes a run with the children that have trajectories', () => {
  const inFolder = Object.fromEntries(
    Object.entries(session).map(([path, file]) => [`.fast-agent/sessions/x/${path}`, file]),
  );
  const events = eventsOf(inFolder);
  expect(outline(events)).toEqual([
    ...[
      '0 + PMO',
      '1 + PMO#m1',
      '2 - PMO#m1',
      '2 + PMO#t1',
      '2.5 + PMO/NY[1]',
      '2.5 + PMO/NY[1]#m1',
      '4 - PMO/NY[1]#m1',
    ],
    ...['5 - PMO/NY[1]', '5.5 - PMO#t1', '5.5 + PMO#m2', '7 - PMO#m2', '7 - PMO'],
  ]);
  expect(events.find(({ kind }) => kind === 'model.ended')).toMatchObject({
    ...{ costUsd: 0.01, firstTokenMs: 300 },
    usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4, reasoningTokens: 1, modelCalls: 1 },
  });
  expect(events.at(-1)).toMatchObject({ status: 'completed', answer: 'All planned' });
  expect(events.find(({ kind }) => kind === 'instance.started')?.imported?.attributes).toMatchObject({
    metadata: { title: 'A title' },
  });
});

test('an event log is the same run again, and a cut one ends as cancelled', () => {
  const events = eventsOf({ 'trajectory.json': atif });
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  expect(eventsOf({ 'a.ndjson': eventLogHeader() + lines.join('') })).toEqual(events);
  const cut = eventsOf({ 'a.ndjson': eventLogHeader() + lines.slice(0, 6).join('') });
  expect(cut.slice(0, 6)).toEqual(events.slice(0, 6));
  expect(cut.slice(6)).toMatchObject([{ seq: 7, kind: 'run.finished', status: 'cancelled' }]);
});

test('files that hold no run are named, and the rest is imported', () => {
  const texts = new Map([
    ['notes.txt', 'Hello'],
    ['other.json', '{"a":1}'],
    ['t.json', JSON.stringify(atif)],
  ]);
  const { runs, ignored } = runsOfFiles(texts, t0);
  expect([runs.map(({ key }) => key), ignored]).toEqual([['atif\ns1\nt1'], ['notes.txt', 'other.json']]);
});

test('any JSON in the place of a session, a history or a trajectory is read without an exception', () => {
  const odd: readonly Json[] = [
    null,
    1,
    'x',
    [],
    {},
    [[]],
    { messages: [null, 1, { role: 'assistant', tool_calls: [1], channels: 'x' }] },
  ];
  for (const value of odd) {
    const files = { 'session.json': value, 'history_a.json': value, 'trajectories/b.json': value };
    const atifs = {
      'b.json': { schema_version: 'ATIF-v1.7', steps: value, agent: value, subagent_trajectories: [value] },
    };
    for (const set of [files, atifs]) {
      const texts = new Map(Object.entries(set).map(([path, file]) => [path, JSON.stringify(file)]));
      for (const { make } of runsOfFiles(texts, t0).runs) expect(make(runId).events.at(-1)?.kind).toBe('run.finished');
    }
  }
});

const traceId = 'a7'.repeat(16);
const ids = {
  trace: btoa(String.fromCharCode(...Array.from({ length: 16 }, () => 0xa7))),
  one: 'AAAAAAAAAAE=',
  two: 'AAAAAAAAAAI=',
};
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const nanosAt = (ms: number) => `${t0 + ms}000000`;
const triage = {
  ...{ traceId, spanId: '0000000000000001', name: 'invoke_agent triage' },
  ...{ startTimeUnixNano: nanosAt(0), endTimeUnixNano: nanosAt(4_000) },
  attributes: [attribute('gen_ai.operation.name', 'invoke_agent'), attribute('gen_ai.agent.name', 'triage')],
};
const chat = {
  ...{ traceId, spanId: '0000000000000002', parentSpanId: '0000000000000001', name: 'chat m' },
  ...{ startTimeUnixNano: nanosAt(100), endTimeUnixNano: nanosAt(900) },
  attributes: [attribute('gen_ai.operation.name', 'chat'), attribute('gen_ai.request.model', 'm')],
};
const groupOf = (...spans: object[]) => [
  { resource: { attributes: [attribute('service.name', 'desk')] }, scopeSpans: [{ scope: { name: 'x' }, spans }] },
];
const requestOf = (...spans: object[]) => ({ resourceSpans: groupOf(...spans) });
const inBase64 = [
  { ...triage, traceId: ids.trace, spanId: ids.one },
  { ...chat, traceId: ids.trace, spanId: ids.two, parentSpanId: ids.one },
];
/** The form of Python's `MessageToDict`. */
const snakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const renamed = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [renamed(key), snakeCase(member)]));
};
const tag = (key: string, value: unknown) => ({ key, type: typeof value, value });
const jaegerSpan = (span: typeof triage, more: object = {}) => ({
  ...{ traceID: traceId, spanID: span.spanId, operationName: span.name, processID: 'p1' },
  startTime: Number(span.startTimeUnixNano.slice(0, -3)),
  duration: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1_000,
  tags: span.attributes.map(({ key, value }) => tag(key, value.stringValue)),
  ...{ references: [], logs: [], ...more },
});
const jaeger = {
  data: [
    {
      traceID: traceId,
      processes: { p1: { serviceName: 'desk', tags: [] } },
      spans: [
        jaegerSpan(triage),
        jaegerSpan(chat, { references: [{ refType: 'CHILD_OF', traceID: traceId, spanID: triage.spanId }] }),
      ],
    },
  ],
};
const zipkinSpan = (
  { name, spanId, attributes, startTimeUnixNano, endTimeUnixNano }: typeof triage,
  parentId?: string,
) => ({
  ...{ traceId, id: spanId, parentId, name, localEndpoint: { serviceName: 'desk' } },
  timestamp: Number(startTimeUnixNano.slice(0, -3)),
  duration: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1_000,
  tags: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue])),
});

test.each<[string, unknown, string?]>([
  ['one request', requestOf(triage, chat)],
  ['a list of requests', [requestOf(triage), requestOf(chat)]],
  ['an answer of Tempo', { batches: groupOf(...inBase64) }],
  ['a newer answer of Tempo', { trace: requestOf(...inBase64) }],
  ['Python’s MessageToDict', snakeCase(requestOf(...inBase64))],
  ['Jaeger', jaeger],
  ['Zipkin', [zipkinSpan(triage), zipkinSpan(chat, triage.spanId)]],
  [
    'a file of the Collector with all signals',
    `{"resourceLogs": []}\n{ "resourceSpans" : ${JSON.stringify(groupOf(triage))}}\n\n{"resourceMetrics": []}\n${JSON.stringify(requestOf(chat))}\n`,
    'a.json: its metrics were left out.',
  ],
  [
    'a file that the Collector was still writing',
    `${JSON.stringify(requestOf(triage))}\n${JSON.stringify(requestOf(chat))}\n{"resourceSp`,
    'a.json: the last line is cut and was left out.',
  ],
])('%s gives the same spans', (_, content, note) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const { spans, ignored, notes } = runsOfFiles(new Map([['a.json', text]]), t0);
  expect([ignored, notes]).toEqual([[], note === undefined ? [] : [note]]);
  expect(
    spans.map(({ traceId: trace, spanId, parentId, name, start, end }) => [trace, spanId, parentId, name, start, end]),
  ).toEqual([
    [traceId, triage.spanId, undefined, triage.name, t0, t0 + 4_000],
    [traceId, chat.spanId, triage.spanId, chat.name, t0 + 100, t0 + 900],
  ]);
  expect(spans.map(({ resource }) => resource['service.name'])).toEqual(['desk', 'desk']);
  expect(spans[1]?.attributes).toEqual({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' });
});

test('a failure, logs and links of Jaeger arrive', () => {
  const failed = jaegerSpan(triage, {
    tags: [tag('error', true), tag('otel.status_description', 'no route')],
    logs: [{ timestamp: (t0 + 50) * 1_000, fields: [tag('event', 'exception'), tag('exception.message', 'boom')] }],
    references: [{ refType: 'FOLLOWS_FROM', traceID: 'b'.repeat(32), spanID: '9' }],
  });
  const [span] = runsOfFiles(
    new Map([['j.json', JSON.stringify({ data: [{ ...jaeger.data[0], spans: [failed] }] })]]),
    t0,
  ).spans;
  expect(span).toMatchObject({ failed: true, statusMessage: 'no route' });
  expect(span?.events).toEqual([{ name: 'exception', at: t0 + 50, attributes: { 'exception.message': 'boom' } }]);
  expect(span?.links).toEqual([
    { traceId: 'b'.repeat(32), spanId: '0000000000000009', attributes: { refType: 'FOLLOWS_FROM' } },
  ]);
});

test('ids in base64 of log records are read too', () => {
  const record = { traceId: ids.trace, spanId: ids.two, timeUnixNano: nanosAt(50), eventName: 'my.event' };
  const file = { ...requestOf(...inBase64), resourceLogs: [{ scopeLogs: [{ logRecords: [record, record] }] }] };
  const { logs, notes } = runsOfFiles(new Map([['a.json', JSON.stringify(snakeCase(file))]]), t0);
  expect(notes).toEqual([]);
  expect(logs.map((log) => [log.traceId, log.spanId])).toEqual([
    [traceId, chat.spanId],
    [traceId, chat.spanId],
  ]);
});

test('both spans of a Zipkin call that share an id are kept, and what the server did is inside of its span', () => {
  const shared = { kind: 'SERVER', shared: true, localEndpoint: { serviceName: 'shop' } };
  const client = { ...zipkinSpan(chat, triage.spanId), kind: 'CLIENT' };
  const inside = { ...zipkinSpan({ ...chat, spanId: '0000000000000003' }, chat.spanId) };
  const file = [
    zipkinSpan(triage),
    { ...inside, localEndpoint: { serviceName: 'shop' } },
    { ...client, ...shared },
    client,
    { ...inside, id: '4' },
    { ...client, ...shared, id: '5' },
  ];
  const { spans } = runsOfFiles(new Map([['z.json', JSON.stringify(file)]]), t0);
  const own = '8000000000000002';
  expect(spans.map(({ spanId, parentId }) => [spanId, parentId])).toEqual([
    [triage.spanId, undefined],
    ['0000000000000003', own],
    [own, chat.spanId],
    [chat.spanId, triage.spanId],
    ['0000000000000004', chat.spanId],
    // The client of this call is not in the file.
    ['0000000000000005', triage.spanId],
  ]);
});

const crashed = {
  ...{ schema_version: 'ATIF-v1.7', session_id: 's-2', agent: { name: 'lead', version: '1' } },
  steps: [
    {
      step_id: 1,
      source: 'user',
      message: [
        { type: 'text', text: 'Look' },
        { type: 'image', source: { path: 'a.png' } },
      ],
    },
    {
      ...{ step_id: 2, timestamp: '2026-08-01T08:00:03Z', source: 'agent', model_name: 'm', message: '' },
      tool_calls: ['c1', 'c2', 'c3'].map((id) => ({ tool_call_id: id, function_name: 'worker', arguments: {} })),
      observation: {
        results: [
          { source_call_id: 'c1', content: 'done', subagent_trajectory_ref: [{ trajectory_id: 't-a' }] },
          { source_call_id: null, content: 'a note of the environment' },
          { source_call_id: 'c2', content: null, subagent_trajectory_ref: [{ trajectory_path: 'children/b.json' }] },
        ],
      },
      metrics: {
        ...{ prompt_tokens: 100, completion_tokens: 20, cached_tokens: 40, cost_usd: 0.01 },
        extra: { cache_creation_input_tokens: 12 },
      },
    },
    { step_id: 3, timestamp: '2026-08-01T08:00:01Z', source: 'agent', message: 'Earlier.', is_copied_context: true },
  ],
  subagent_trajectories: [
    { trajectory_id: 't-a', agent: { name: 'worker[1]' }, steps: [{ step_id: 1, source: 'user', message: 'a' }] },
  ],
  continued_trajectory_ref: 'more.json',
};
const b = {
  ...{ schema_version: 'ATIF-v1.5', session_id: 's-b', agent: { name: 'worker' } },
  steps: [
    { step_id: 1, source: 'user', message: 'b' },
    { step_id: 2, source: 'agent', message: 'b is done' },
  ],
  final_metrics: { total_prompt_tokens: 7, total_completion_tokens: 3, total_cost_usd: 0.02 },
};

test('a trajectory that crashed shows what it has, and says what it has not', () => {
  const events = eventsOf({ 'x/crashed.json': crashed });
  const ofCall = (id: string) => events.filter((event) => 'callId' in event && event.callId === id);
  expect(events.filter(({ kind }) => kind === 'instance.queued')).toMatchObject([
    { path: 'lead' },
    { path: 'lead/worker[1]' },
  ]);
  expect(ofCall('c2')[0]?.imported?.attributes).toMatchObject({
    child_trajectory_not_imported: [{ trajectory_path: 'children/b.json' }],
  });
  expect(ofCall('c3').at(-1)).toMatchObject({
    result: {
      isError: true,
      errorCode: 'AGENT_CANCELLED',
      content: [{ type: 'text', text: 'No result in the file.' }],
    },
  });
  expect(JSON.stringify(events.find(({ kind }) => kind === 'model.started')?.imported)).toContain('a note of the env');
  const copied = events.find((event) => event.kind === 'tool.started' && event.toolName === 'copied context');
  expect(copied?.imported?.estimated).toEqual(['time: the file says 2000 ms before the end of the step above']);
  expect(events[0]).toMatchObject({ message: 'Look\n[image a.png]' });
  expect(events.at(-1)).toMatchObject({
    usage: {
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 40,
      cacheWriteTokens: 12,
      modelCalls: 1,
      recorded: { usd: 0.01 },
    },
  });
  expect(JSON.stringify(events)).toContain('The trajectory goes on in more.json, which was not imported.');
});

const terminus = (results: readonly object[], calls: readonly string[]) => ({
  ...{ schema_version: 'ATIF-v1.7', session_id: 's-t', agent: { name: 'terminus-2' } },
  steps: [
    { step_id: 1, source: 'user', message: 'go' },
    {
      ...{ step_id: 2, source: 'agent', message: '', observation: { results } },
      tool_calls: calls.map((id) => ({ tool_call_id: id, function_name: 'bash', arguments: {} })),
    },
  ],
});

test('calls of a step whose results name no call have ended, and the only call has the only result', () => {
  const resultsOf = (results: readonly object[], calls: readonly string[]) =>
    eventsOf({ 't.json': terminus(results, calls) }).flatMap((event) =>
      event.kind === 'tool.ended' ? [[event.result.isError, event.result.content]] : [],
    );
  expect(resultsOf([{ content: 'a file' }], ['c1'])).toEqual([[false, [{ type: 'text', text: 'a file' }]]]);
  expect(resultsOf([{ content: 'all' }], ['c1', 'c2']).map(([isError]) => isError)).toEqual([false, false]);
  expect(resultsOf([], ['c1']).map(([isError]) => isError)).toEqual([true]);
});

const named = (id: string, more: object) => ({
  ...{ schema_version: 'ATIF-v1.7', session_id: id, agent: { name: id } },
  steps: [{ step_id: 1, source: 'user', message: id }],
  ...more,
});
const refTo = (trajectory_path: string) => ({
  observation: { results: [{ source_call_id: 'c', subagent_trajectory_ref: [{ trajectory_path }] }] },
});
const runKeys = (files: Readonly<Record<string, object>>) =>
  runsOfFiles(new Map(Object.entries(files).map(([path, file]) => [path, JSON.stringify(file)])), t0).runs.map(
    ({ key }) => key.split('\n')[1],
  );

test('each trajectory of an import is in a run, also if it is named and nobody reads it', () => {
  const askUser = { step_id: 1, source: 'user', message: 'x', ...refTo('b.json') };
  const files = { 'a.json': named('a', { steps: [askUser] }), 'b.json': named('b', {}), 'c.json': named('c', {}) };
  expect(runKeys(files)).toEqual(['a', 'c', 'b']);
  const circle = {
    'a.json': named('a', { continued_trajectory_ref: 'b.json' }),
    'b.json': named('b', { continued_trajectory_ref: 'a.json' }),
    'c.json': named('c', {}),
  };
  expect(runKeys(circle)).toEqual(['c', 'a']);
  const call = { tool_call_id: 'c', function_name: 'ask', arguments: {} };
  const step = { step_id: 1, source: 'agent', message: '', tool_calls: [call] };
  const inner = named('inner', { trajectory_id: 'inner', steps: [{ ...step, ...refTo('b.json') }] });
  const toInner = { results: [{ source_call_id: 'c', subagent_trajectory_ref: [{ trajectory_id: 'inner' }] }] };
  const middle = named('mid', {
    ...{ trajectory_id: 'mid', subagent_trajectories: [inner], steps: [{ ...step, observation: toInner }] },
  });
  const toMiddle = { results: [{ source_call_id: 'c', subagent_trajectory_ref: [{ trajectory_id: 'mid' }] }] };
  const outer = named('outer', { subagent_trajectories: [middle], steps: [{ ...step, observation: toMiddle }] });
  expect(runKeys({ 'b.json': named('b', {}), 'outer.json': outer })).toEqual(['outer']);
});

test('the totals of a continuation count for its own steps', () => {
  const said = { step_id: 2, source: 'agent', message: 'said' };
  const metrics = { prompt_tokens: 10, completion_tokens: 2, cost_usd: 0.01 };
  const total = { total_prompt_tokens: 30, total_completion_tokens: 4, total_cost_usd: 0.05 };
  const usageOf = (...steps: readonly [object, object | undefined, object | undefined]) => {
    const [first, firstTotal, secondTotal] = steps;
    const a = named('a', { continued_trajectory_ref: 'b.json', final_metrics: firstTotal, steps: [first] });
    const last = eventsOf({ 'a.json': a, 'b.json': named('b', { final_metrics: secondTotal, steps: [said] }) }).at(-1);
    if (last?.kind !== 'run.finished') throw new Error('The run has no end.');
    return [last.usage.inputTokens, last.usage.outputTokens, Number(last.usage.recorded?.usd.toFixed(6))];
  };
  expect(usageOf({ ...said, metrics }, undefined, total)).toEqual([40, 6, 0.06]);
  expect(usageOf(said, total, total)).toEqual([60, 8, 0.1]);
  expect(usageOf(said, undefined, total)).toEqual([30, 4, 0.05]);
});

test('trajectories in other files of one import are children and continuations of the run', () => {
  const more = {
    ...{ schema_version: 'ATIF-v1.7', session_id: 's-2', agent: { name: 'lead' } },
    steps: [
      { step_id: 1, source: 'agent', message: 'Earlier.', is_copied_context: true },
      { step_id: 2, source: 'agent', message: 'The end', metrics: { prompt_tokens: 5, completion_tokens: 5 } },
    ],
  };
  const events = eventsOf({ 'x/children/b.json': b, 'x/crashed.json': crashed, 'x/more.json': more });
  const paths = events.flatMap((event) =>
    event.kind === 'instance.queued' ? [`${event.path} ${event.callId ?? ''}`] : [],
  );
  expect(paths).toEqual(['lead ', 'lead/worker[1] c1', 'lead/worker[2] c2']);
  expect(events.at(-1)).toMatchObject({ answer: 'The end', usage: { inputTokens: 112, outputTokens: 28 } });
  const last = events.at(-1);
  expect(last?.kind === 'run.finished' && last.usage.recorded?.usd).toBeCloseTo(0.03);
});
