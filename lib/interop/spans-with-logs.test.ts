import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { expect, test } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import { readOtlpLogs, readOtlpLogsJson, readOtlpLogsProtobuf } from './otlp/read-otlp-logs';
import type { ReceivedSpan } from './otlp/received-span';
import { runOfSpans } from './run-of-spans';
import { spansWithLogs } from './spans-with-logs';

const t0 = 1_763_628_000_000;
const traceId = 'e1'.repeat(16);
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const record = (spanId: string, eventName: string, attributes: object[], more: object = {}) => ({
  ...{ traceId, spanId, eventName, attributes, timeUnixNano: `${t0 + 50}000000`, ...more },
});
const request = (...logRecords: object[]) =>
  JSON.stringify({
    resourceLogs: [
      { resource: { attributes: [text('service.name', 'desk')] }, scopeLogs: [{ scope: { name: 'x' }, logRecords }] },
    ],
  });
const said = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const call = '0000000000000002';
const details = record(call, 'gen_ai.client.inference.operation.details', [
  text('gen_ai.input.messages', said('user', 'Asked by a log')),
  text('gen_ai.output.messages', said('assistant', 'Answered by a log')),
]);

const span = (
  spanId: string,
  parentId: string | undefined,
  attributes: Readonly<Record<string, string>>,
): ReceivedSpan => ({
  ...{ traceId, spanId, parentId, name: 'x', start: t0, end: t0 + 100, attributes, events: [], failed: false },
  ...{ scope: '', resource: {} },
});
const spans = [
  span('0000000000000001', undefined, { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' }),
  span(call, '0000000000000001', { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }),
];
const eventsOf = (body: string, of: readonly ReceivedSpan[] = spans) =>
  runOfSpans(brandAs<RunId>('r'), spansWithLogs(of, readOtlpLogsJson(body).logs))?.events ?? [];

test('messages that come as logs are the request and the answer of their call', () => {
  const events = eventsOf(request(details));
  expect(events.find(({ kind }) => kind === 'run.started')).toMatchObject({ message: 'Asked by a log' });
  expect(events.find(({ kind }) => kind === 'model.started')).toMatchObject({
    request: { added: [{ message: { role: 'user', content: [{ type: 'text', text: 'Asked by a log' }] } }] },
  });
  expect(events.at(-1)).toMatchObject({ status: 'completed', answer: 'Answered by a log' });
});

test('an exception makes its instance failed, and what has no other place is not mapped', () => {
  const events = eventsOf(
    request(
      record('0000000000000001', 'exception', [
        text('exception.type', 'ValueError'),
        text('exception.message', 'boom'),
      ]),
      record('00000000000000ff', 'gen_ai.evaluation.result', [
        text('gen_ai.evaluation.explanation', 'Beside the point'),
      ]),
    ),
  );
  expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'ValueError', message: 'boom' } });
  expect(JSON.stringify(events)).toContain('Beside the point');
});

test('logs that come before all spans make a run, and records without a trace are counted', () => {
  const events = eventsOf(request(details), []);
  expect(events.at(-1)?.kind).toBe('run.finished');
  expect(events[0]?.at).toBe(t0 + 50);
  expect(JSON.stringify(events)).toContain('Asked by a log');
  expect(readOtlpLogsJson(request({ ...details, traceId: '' }))).toMatchObject({
    ...{ logs: [], withoutTrace: 1, rejected: 0 },
  });
});

test('records beyond the limit of a request are rejected, and those without a trace are not', () => {
  const one = { traceId, spanId: call, timeUnixNano: `${t0}000000` };
  const logRecords = [...Array.from({ length: 50_002 }, () => one), { ...one, traceId: '' }];
  const { logs, ...counts } = readOtlpLogs({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  expect(logs).toHaveLength(50_000);
  expect(counts).toEqual({
    withoutTrace: 1,
    rejected: 2,
    problem: 'A request may have at most 50,000 log records. Send the others in another request.',
  });
});

test('protobuf and JSON of one request are read alike', () => {
  const writer = new BinaryWriter();
  const inside = (field: number, write: () => void) => {
    writer.tag(field, WireType.LengthDelimited).fork();
    write();
    writer.join();
  };
  const attribute = (field: number, { key, value }: ReturnType<typeof text>) =>
    inside(field, () => {
      writer.tag(1, WireType.LengthDelimited).string(key);
      inside(2, () => writer.tag(1, WireType.LengthDelimited).string(value.stringValue));
    });
  const bytes = (field: number, hex: string) =>
    writer
      .tag(field, WireType.LengthDelimited)
      .bytes(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number(`0x${pair}`)));
  inside(1, () => {
    inside(1, () => attribute(1, text('service.name', 'desk')));
    inside(2, () =>
      inside(2, () => {
        writer.tag(1, WireType.Bit64).fixed64(`${t0 + 50}000000`);
        writer.tag(3, WireType.LengthDelimited).string('WARN');
        inside(5, () => writer.tag(1, WireType.LengthDelimited).string('the body'));
        attribute(6, text('a', 'b'));
        bytes(9, traceId);
        bytes(10, call);
        writer.tag(12, WireType.LengthDelimited).string('my.event');
      }),
    );
  });
  const json = request(
    record(call, 'my.event', [text('a', 'b')], { severityText: 'WARN', body: { stringValue: 'the body' } }),
  );
  expect(readOtlpLogsProtobuf(writer.finish())).toEqual(readOtlpLogsJson(json));
});
