import { expect, test } from 'vitest';
import { importedAt } from '@/lib/testing/imported-files';
import { runsOfFiles } from './runs-of-files';

const traceId = 'a7'.repeat(16);
const ids = {
  trace: btoa(String.fromCharCode(...Array.from({ length: 16 }, () => 0xa7))),
  one: 'AAAAAAAAAAE=',
  two: 'AAAAAAAAAAI=',
};
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const nanosAt = (ms: number) => `${importedAt + ms}000000`;
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
  const { spans, ignored, notes } = runsOfFiles(new Map([['a.json', text]]), importedAt);
  expect([ignored, notes]).toEqual([[], note === undefined ? [] : [note]]);
  expect(
    spans.map(({ traceId: trace, spanId, parentId, name, start, end }) => [trace, spanId, parentId, name, start, end]),
  ).toEqual([
    [traceId, triage.spanId, undefined, triage.name, importedAt, importedAt + 4_000],
    [traceId, chat.spanId, triage.spanId, chat.name, importedAt + 100, importedAt + 900],
  ]);
  expect(spans.map(({ resource }) => resource['service.name'])).toEqual(['desk', 'desk']);
  expect(spans[1]?.attributes).toEqual({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' });
});

test('a failure, logs and links of Jaeger arrive', () => {
  const failed = jaegerSpan(triage, {
    tags: [tag('error', true), tag('otel.status_description', 'no route')],
    logs: [
      { timestamp: (importedAt + 50) * 1_000, fields: [tag('event', 'exception'), tag('exception.message', 'boom')] },
    ],
    references: [{ refType: 'FOLLOWS_FROM', traceID: 'b'.repeat(32), spanID: '9' }],
  });
  const [span] = runsOfFiles(
    new Map([['j.json', JSON.stringify({ data: [{ ...jaeger.data[0], spans: [failed] }] })]]),
    importedAt,
  ).spans;
  expect(span).toMatchObject({ failed: true, statusMessage: 'no route' });
  expect(span?.events).toEqual([
    { name: 'exception', at: importedAt + 50, attributes: { 'exception.message': 'boom' } },
  ]);
  expect(span?.links).toEqual([
    { traceId: 'b'.repeat(32), spanId: '0000000000000009', attributes: { refType: 'FOLLOWS_FROM' } },
  ]);
});

test('ids in base64 of log records are read too', () => {
  const record = { traceId: ids.trace, spanId: ids.two, timeUnixNano: nanosAt(50), eventName: 'my.event' };
  const file = { ...requestOf(...inBase64), resourceLogs: [{ scopeLogs: [{ logRecords: [record, record] }] }] };
  const { logs, notes } = runsOfFiles(new Map([['a.json', JSON.stringify(snakeCase(file))]]), importedAt);
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
  const { spans } = runsOfFiles(new Map([['z.json', JSON.stringify(file)]]), importedAt);
  const own = spans[2]?.spanId;
  expect(own).toMatch(/^[89a-f][0-9a-f]{15}$/);
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

const serverAt = (serviceName: string, ms: number) => ({
  ...{ ...zipkinSpan(chat, triage.spanId), kind: 'SERVER', shared: true, localEndpoint: { serviceName } },
  timestamp: (importedAt + ms) * 1_000,
});

test('servers that share the id of a Zipkin call are kept from several files, and one that is in two is one', () => {
  const client = { ...zipkinSpan(chat, triage.spanId), kind: 'CLIENT' };
  const files = new Map([
    ['one.json', JSON.stringify([client, serverAt('shop', 100)])],
    ['two.json', JSON.stringify([client, serverAt('stock', 200)])],
    ['three.json', JSON.stringify([client, serverAt('stock', 200)])],
  ]);
  const { spans } = runsOfFiles(files, importedAt);
  const services = new Map(spans.map(({ spanId, resource }) => [spanId, resource['service.name']]));
  expect([...services.values()].sort()).toEqual(['desk', 'shop', 'stock']);
});

test('each server that shares the id of a Zipkin call is kept, in any order of the file', () => {
  const inside = { ...zipkinSpan({ ...chat, spanId: '0000000000000003' }, chat.spanId) };
  const file = [
    { ...zipkinSpan(chat, triage.spanId), kind: 'CLIENT' },
    serverAt('shop', 100),
    serverAt('shop', 400),
    serverAt('stock', 200),
    serverAt('stock', 200),
    { ...inside, localEndpoint: { serviceName: 'stock' } },
  ];
  for (const order of [file, file.toReversed()]) {
    const { spans } = runsOfFiles(new Map([['z.json', JSON.stringify(order)]]), importedAt);

    const kept = new Map(
      spans.map(({ spanId, parentId, start, resource }) => [
        spanId,
        `${parentId} ${resource['service.name']} ${start - importedAt}`,
      ]),
    );
    const stock = spans.find(({ start }) => start === importedAt + 200)?.spanId;
    expect([...kept.values()].sort()).toEqual(
      [
        `${triage.spanId} desk 100`,
        `${chat.spanId} shop 100`,
        `${chat.spanId} shop 400`,
        `${chat.spanId} stock 200`,
        `${stock} stock 100`,
      ].sort(),
    );
  }
});
