import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GET as exported } from '@/app/api/v1/runs/[run]/export/route';
import { GET as timeline } from '@/app/api/v1/runs/[run]/timeline/route';
import { GET as watchVersions } from '@/app/api/v1/runs/[run]/versions/route';
import { POST as sendLogs } from '@/app/v1/logs/route';
import { POST as sendMetrics } from '@/app/v1/metrics/route';
import { brandAs, type RunId } from '@/lib/base/ids';
import { importedRunId } from '@/lib/base/imported-run-id';
import { writeOtlpProtobuf } from '@/lib/interop/otlp/write-otlp-protobuf';
import { readAllEvents } from '@/lib/store/events';
import { readRunVersion } from '@/lib/store/imported-runs';
import { binSomeRuns, restoreSomeRuns } from '@/lib/store/run-bin';
import { saveRunTrace } from '@/lib/store/run-traces';
import { findRun } from '@/lib/store/runs';
import { findScores } from '@/lib/store/scores';
import { eventsOf } from '@/lib/testing/events-of';
import { eventually } from '@/lib/testing/eventually';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { decodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { POST } from './route';

const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const traceId = 'a'.repeat(32);
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const span = (
  id: string,
  parent: string | undefined,
  name: string,
  [from, to]: [number, number],
  attributes: object[] = [],
) => ({
  ...{ traceId, spanId: id.repeat(16), name, kind: 1, attributes },
  ...(parent !== undefined && { parentSpanId: parent.repeat(16) }),
  startTimeUnixNano: `${1_763_628_000_000 + from}000000`,
  endTimeUnixNano: `${1_763_628_000_000 + to}000000`,
});
const request = (...spans: object[]) => ({
  resourceSpans: [
    { resource: { attributes: [text('service.name', 'shop')] }, scopeSpans: [{ scope: { name: 'mine' }, spans }] },
  ],
});
const root = span('1', undefined, 'invoke_agent lead', [0, 90], [text('gen_ai.operation.name', 'invoke_agent')]);
const chat = span(
  '2',
  '1',
  'chat gpt-5',
  [10, 40],
  [
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.request.model', 'gpt-5'),
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '7' } },
    text('my.own', 'kept'),
  ],
);
const tool = span(
  '3',
  '1',
  'execute_tool search',
  [45, 80],
  [text('gen_ai.operation.name', 'execute_tool'), text('gen_ai.tool.name', 'search')],
);

async function send(body: BodyInit, headers: Record<string, string> = {}) {
  const init = {
    method: 'POST',
    headers: { Host: '127.0.0.1:3000', 'Content-Type': 'application/json', ...headers },
    body,
  };
  return await POST(new Request('http://127.0.0.1:3000/v1/traces', init), { params: Promise.resolve({}) });
}

async function importedRun(): Promise<RunId> {
  const { rows } = await store.pool.query<{ id: string }>(`SELECT id FROM "Project" WHERE name = 'Imported runs'`);
  expect(rows).toHaveLength(1);
  return importedRunId(rows[0]?.id ?? '', traceId);
}

const kindsOf = async (id: RunId) => (await readAllEvents(store, id)).map(({ kind }) => kind);

test('spans that come late, twice and in any order and encoding are one run', async () => {
  const first = await send(JSON.stringify(request(tool)));
  expect([first.status, await first.json()]).toEqual([200, {}]);
  const id = await importedRun();
  await eventually(async () => expect(await kindsOf(id)).toContain('tool.ended'));
  expect(await findRun(store, id)).toMatchObject({ source: 'opentelemetry', entryAgent: 'shop', status: 'completed' });

  const body = new Uint8Array(gzipSync(writeOtlpProtobuf(request(chat, tool) as never)));
  const second = await send(body, { 'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'gzip' });
  expect([second.status, second.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
  expect(await second.arrayBuffer()).toHaveProperty('byteLength', 0);
  await send(JSON.stringify(request(root, chat)));
  await eventually(async () => expect(await findRun(store, id)).toMatchObject({ entryAgent: 'lead' }));
  const events = await readAllEvents(store, id);
  expect(events.map((event) => `${event.at - 1_763_628_000_000} ${event.kind}`)).toEqual([
    ...['0 run.started', '0 log', '0 instance.queued', '0 instance.started', '10 model.started', '40 model.ended'],
    ...['45 tool.started', '80 tool.ended', '90 instance.ended', '90 run.finished'],
  ]);
  expect(events.find(({ kind }) => kind === 'model.started')?.imported?.attributes).toEqual({
    'my.own': 'kept',
    not_recorded: ['answer'],
  });
  expect(await findRun(store, id)).toMatchObject({
    usage: { inputTokens: 7, modelCalls: 1 },
    createdAt: new Date(1_763_628_000_000),
    finishedAt: new Date(1_763_628_000_090),
    correlationId: traceId,
  });

  const { epoch } = await store.prisma.run.findUniqueOrThrow({ where: { id } });
  await send(JSON.stringify(request(root, chat, tool)));
  expect(await store.prisma.importedTrace.findUnique({ where: { runId: id } })).toMatchObject({
    unsettled: false,
    spanCount: 3,
  });
  expect(await store.prisma.run.findUniqueOrThrow({ where: { id } })).toMatchObject({ epoch });
});

test('the timeline has the spans of the framework only when all are asked for', async () => {
  const other = 'd'.repeat(32);
  const cycle = span('6', '5', 'execute_event_loop_cycle', [10, 80]);
  const spans = [{ ...root, spanId: '5'.repeat(16) }, cycle, { ...tool, parentSpanId: '6'.repeat(16) }];
  await send(JSON.stringify(request(...spans.map((one) => ({ ...one, traceId: other })))));
  const project = await store.prisma.project.findFirstOrThrow({ where: { name: 'Imported runs' } });
  const id = importedRunId(project.id, other);
  await eventually(async () => expect(await spanKinds(id, '')).toEqual(['instance', 'tool']));
  expect(await spanKinds(id, '?spans=all')).toEqual(['instance', 'framework', 'tool']);

  // The files have the steps too, or all spans.
  const name = 'execute_event_loop_cycle';
  for (const [form, mark] of [
    ['csv', `,framework,${name},`],
    ['chrome', `"name":"${name}","cat":"framework"`],
    ['html', `"kind":"framework","ink":"muted","name":"${name}"`],
  ] as const) {
    expect([form, (await file(id, `?as=${form}`)).includes(mark)]).toEqual([form, false]);
    expect([form, (await file(id, `?as=${form}&spans=steps`)).includes(mark)]).toEqual([form, false]);
    expect([form, (await file(id, `?as=${form}&spans=all`)).includes(mark)]).toEqual([form, true]);
  }
  // The log names them with the step that took them in.
  expect(await file(id, '?as=events&spans=all')).toBe(await file(id, '?as=events'));
});

test('a run of Callboard has no spans of a framework: its stored timeline is the answer to all spans, too', async () => {
  const id = await storedRun(store);
  const trace = emptyTrace();
  for (const event of eventsOf('lead 0-90: model 0-10')) foldEvent(trace, event);
  await saveRunTrace(store, id, trace);
  expect(await spanKinds(id, '?spans=all')).toEqual(['instance', 'model']);
});

/** Returns a run as a file. */
async function file(id: RunId, query: string): Promise<string> {
  const address = `http://127.0.0.1:3000/api/v1/runs/${id}/export${query}`;
  const answer = await exported(new Request(address, { headers: { Host: '127.0.0.1:3000' } }), {
    params: Promise.resolve({ run: id }),
  });
  expect(answer.status).toBe(200);
  return await answer.text();
}

/** Returns the kinds of the spans in the timeline of a run. */
async function spanKinds(id: RunId, query: string): Promise<readonly string[]> {
  const address = `http://127.0.0.1:3000/api/v1/runs/${id}/timeline${query}`;
  const answer = await timeline(new Request(address, { headers: { Host: '127.0.0.1:3000' } }), {
    params: Promise.resolve({ run: id }),
  });
  expect(answer.status).toBe(200);
  const { spans: drawn } = decodeTrace(gunzipSync(new Uint8Array(await answer.arrayBuffer())));
  return Array.from({ length: drawn.length }, (_, one) => drawn.kindOf(one)).filter((kind) => kind !== 'queued');
}

test('spans of a run in the bin are stored with it, and it stays there until somebody restores it', async () => {
  const own = (one: object) => ({ ...one, traceId: 'b'.repeat(32) });
  await send(JSON.stringify(request(own(tool))));
  const find = () => store.prisma.run.findFirst({ where: { correlationId: 'b'.repeat(32) }, select: { id: true } });
  await eventually(async () => expect(await find()).not.toBeNull());
  const id = brandAs<RunId>((await find())?.id ?? '');
  await binSomeRuns(store, { ids: [id], scope: 'all' }, { id: 'a deletion', by: 'local' });
  await send(JSON.stringify(request(own(root), own(chat))));
  await eventually(async () => expect(await kindsOf(id)).toContain('model.ended'));
  expect(await find()).toBeNull();
  await restoreSomeRuns(store, { runs: [id], scope: 'all' });
  const { lastSeq } = await store.prisma.run.findUniqueOrThrow({ where: { id } });
  expect(lastSeq).toBe((await readAllEvents(store, id)).at(-1)?.seq);
  expect(await findRun(store, id)).toMatchObject({ entryAgent: 'lead', usage: { modelCalls: 1 } });
});

test('a part that cannot be stored is a partial success in the encoding of the request', async () => {
  const broken = { ...chat, spanId: 'none' };
  const said = 'Span "chat gpt-5": spanId is not 16 hex digits.';
  const answer = await send(JSON.stringify(request(root, broken)));
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { partialSuccess: { rejectedSpans: '1', errorMessage: said } },
  ]);
  const binary = await send(writeOtlpProtobuf(request({ ...chat, spanId: 'ab' }) as never), {
    'Content-Type': 'application/x-protobuf',
  });
  expect(Buffer.from(await binary.arrayBuffer()).toString()).toContain(said);
});

test('the refusals say what is wrong', async () => {
  const refused = async (body: BodyInit, headers?: Record<string, string>) => {
    const response = await send(body, headers);
    return `${response.status} ${(await response.json()).error.message}`;
  };
  expect(await refused('x', { 'Content-Type': 'text/plain' })).toMatch(/^415 Send OTLP as/);
  expect(await refused('{"batch":[]}')).toMatch(/^400 .*no resourceSpans/);
  expect(await refused('nonsense', { 'Content-Encoding': 'gzip' })).toMatch(/^400 .*not gzip/);
  const binary = await send(Buffer.from([9, 9, 9]), { 'Content-Type': 'application/x-protobuf' });
  expect([binary.status, binary.headers.get('content-type')]).toEqual([400, 'application/x-protobuf']);
  expect(Buffer.from(await binary.arrayBuffer()).toString()).toContain('not an OTLP request');
  expect(await refused('{}', { 'Content-Encoding': 'br' })).toMatch(/^415 /);
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(21 * 1024 * 1024, 32)));
  expect(await refused(bomb, { 'Content-Encoding': 'gzip' })).toMatch(
    /^413 The unpacked body is larger than 20 MiB\. Send less at once\.$/,
  );
  expect(await refused(new Uint8Array(21 * 1024 * 1024))).toMatch(/^413 /);
  expect(await refused(JSON.stringify(request(root)), { 'Callboard-Project': 'none' })).toMatch(/^404 /);
});

test('spans may go into a project of their own', async () => {
  const { rows } = await store.pool.query<{ id: string }>(`SELECT id FROM "Project" LIMIT 1`);
  const project = rows[0]?.id ?? '';
  const other = { ...root, traceId: 'c'.repeat(32) };
  expect((await send(JSON.stringify(request(other)), { 'Callboard-Project': project })).status).toBe(200);
  const id = brandAs<RunId>(importedRunId(project, other.traceId));
  await eventually(async () =>
    expect(await findRun(store, id)).toMatchObject({ projectId: project, entryAgent: 'lead' }),
  );
});

test('a reader of versions hears of spans that come later, and not of the version that it has', async () => {
  const other = 'd'.repeat(32);
  const sendOther = (...spans: object[]) =>
    send(JSON.stringify(request(...spans.map((one) => ({ ...one, traceId: other })))));
  await sendOther(tool);
  const { rows } = await store.pool.query<{ id: string }>(`SELECT id FROM "Project" WHERE name = 'Imported runs'`);
  const id = importedRunId(rows[0]?.id ?? '', other);
  await eventually(async () => expect(await kindsOf(id)).toContain('tool.ended'));
  const versionOf = async () => (await readRunVersion(store, id)) ?? 0;
  const before = await versionOf();
  const gone = new AbortController();
  const address = `http://127.0.0.1:3000/api/v1/runs/${id}/versions?after=${before}`;
  const init = { headers: { Host: '127.0.0.1:3000' }, signal: gone.signal };
  const response = await watchVersions(new Request(address, init), { params: Promise.resolve({ run: id }) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  await sendOther(chat);
  while (!heard.includes('data:')) heard += (await reader?.read())?.value ?? '';
  expect(heard).toContain(`data: ${before + 1}\n`);
  expect(await versionOf()).toBe(before + 1);
  await reader?.cancel();
  gone.abort();
});

test('logs reach their span before and after it, and metrics are taken and not kept', async () => {
  const post = async (route: typeof POST, path: string, body: object) => {
    const init = { method: 'POST', headers: { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' } };
    const request = new Request(`http://127.0.0.1:3000/v1/${path}`, { ...init, body: JSON.stringify(body) });
    const response = await route(request, { params: Promise.resolve({}) });
    return [response.status, await response.json()];
  };
  const other = 'e'.repeat(32);
  const record = (eventName: string, spanId: string, attributes: object[]) => ({
    resourceLogs: [
      {
        scopeLogs: [
          { logRecords: [{ traceId: other, spanId, eventName, timeUnixNano: '1763628000020000000', attributes }] },
        ],
      },
    ],
  });
  const asked = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Asked by a log' }] }]);
  const details = record('gen_ai.client.inference.operation.details', '2'.repeat(16), [
    text('gen_ai.input.messages', asked),
  ]);
  expect(await post(sendLogs, 'logs', details)).toEqual([200, {}]);
  await send(JSON.stringify(request({ ...root, traceId: other }, { ...chat, traceId: other })));
  const judged = [
    text('gen_ai.evaluation.name', 'Relevance'),
    { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.25 } },
    text('gen_ai.evaluation.explanation', 'Beside\0 the point'),
  ];
  await post(sendLogs, 'logs', record('gen_ai.evaluation.result', '2'.repeat(16), judged));
  const failure = record('exception', '1'.repeat(16), [text('exception.message', 'boom')]);
  expect(await post(sendLogs, 'logs', failure)).toEqual([200, {}]);
  expect(await post(sendMetrics, 'metrics', { resourceMetrics: [] })).toEqual([200, {}]);
  const find = () => store.prisma.run.findFirst({ where: { correlationId: other }, select: { id: true } });
  await eventually(async () => {
    const id = brandAs<RunId>((await find())?.id ?? '');
    expect(await findRun(store, id)).toMatchObject({ entryAgent: 'lead', message: 'Asked by a log', status: 'failed' });
    const said = { name: 'relevance', value: 0.25, note: 'Beside\u{fffd} the point', span: { kind: 'model' } };
    expect(await findScores(store, id)).toMatchObject([said]);
  });
  expect(
    (
      await sendLogs(
        new Request('http://127.0.0.1:3000/v1/logs', {
          method: 'POST',
          headers: { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' },
          body: '{"spans":[]}',
        }),
        { params: Promise.resolve({}) },
      )
    ).status,
  ).toBe(400);
});
