import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '@/lib/testing/tries';
import { readOtlpJson } from './read-otlp-json';
import { readOtlpProtobuf } from './read-otlp-protobuf';
import { NotOtlp, otlpLimits } from './received-span';
import { type JsonTraces, writeOtlpProtobuf } from './write-otlp-protobuf';

const anyValue = fc.letrec((self) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.record({ stringValue: fc.string({ unit: 'grapheme' }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.maxSafeInteger().map(String) }),
    fc.record({
      doubleValue: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    }),
    fc.record({ arrayValue: fc.record({ values: fc.array(self('value'), { maxLength: 3 }) }) }),
    fc.record({
      kvlistValue: fc.record({
        values: fc.array(fc.record({ key: fc.string({ minLength: 1 }), value: self('value') }), { maxLength: 3 }),
      }),
    }),
  ),
})).value as fc.Arbitrary<Record<string, unknown>>;

const hex = (length: number) =>
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
    .filter((id) => !/^0*$/.test(id));
const attributes = fc.array(fc.record({ key: fc.string({ minLength: 1, maxLength: 20 }), value: anyValue }), {
  maxLength: 4,
});
const nanos = fc.bigInt({ min: 1_000_000n, max: 9_000_000_000_000_000_000n }).map(String);

const anySpan = fc.record({
  ...{ traceId: hex(32), spanId: hex(16), parentSpanId: hex(16), name: fc.string({ unit: 'grapheme' }) },
  ...{ startTimeUnixNano: nanos, endTimeUnixNano: nanos, attributes },
  events: fc.array(fc.record({ timeUnixNano: nanos, name: fc.string(), attributes }), { maxLength: 2 }),
  links: fc.array(fc.record({ traceId: hex(32), spanId: hex(16), attributes }), { maxLength: 2 }),
  ...{ kind: fc.nat(5), traceState: fc.string(), droppedAttributesCount: fc.nat(3) },
  status: fc.record({ code: fc.constantFrom(0, 1, 2), message: fc.string() }),
});

const request = (spans: JsonTraces['resourceSpans'][number]['scopeSpans'][number]['spans']): JsonTraces => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'a service' } }] },
      scopeSpans: [{ scope: { name: 'a scope' }, spans }],
    },
  ],
});

test('protobuf and JSON of one request are read alike', () => {
  fc.assert(
    fc.property(fc.array(anySpan, { maxLength: 5 }), (spans) => {
      const json = readOtlpJson(JSON.stringify(request(spans)));
      expect(json).toMatchObject({ rejected: 0, problem: undefined });
      expect(json.spans).toHaveLength(spans.length);
      expect(readOtlpProtobuf(writeOtlpProtobuf(request(spans)))).toEqual(json);
    }),
    { numRuns: tries(200) },
  );
});

test('bodies of any bytes are read or refused, and nothing else is thrown', () => {
  const real = writeOtlpProtobuf(request(fc.sample(anySpan, 3)));
  const damaged = fc
    .tuple(fc.nat(real.length - 1), fc.nat(255), fc.nat(real.length))
    .map(([at, byte, length]) => real.map((old, index) => (index === at ? byte : old)).slice(0, length));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
      for (const read of [() => readOtlpProtobuf(bytes), () => readOtlpJson(new TextDecoder().decode(bytes))]) {
        try {
          read();
        } catch (error) {
          if (!(error instanceof NotOtlp)) throw error;
        }
      }
    }),
    { numRuns: tries(5_000) },
  );
  fc.assert(
    fc.property(fc.json(), fc.jsonValue(), (text, value) => {
      for (const body of [text, JSON.stringify({ resourceSpans: value }), JSON.stringify(request([value as never]))]) {
        try {
          readOtlpJson(body);
        } catch (error) {
          if (!(error instanceof NotOtlp)) throw error;
        }
      }
    }),
    { numRuns: tries(5_000) },
  );
});

const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x', startTimeUnixNano: '1763628000000000000' };

test('a span that cannot be stored is counted and named, and the others are kept', () => {
  const read = readOtlpJson(
    JSON.stringify(
      request([span, { ...span, traceId: 'W46O/5eYEDLSabYzgT/GDA==' }, { ...span, startTimeUnixNano: 'soon' }]),
    ),
  );
  expect(read.spans).toHaveLength(1);
  expect(read).toMatchObject({ rejected: 2, problem: 'Span "x": traceId is not 32 hex digits.' });
});

test('JSON that is not OTLP is refused with what it is', () => {
  expect(() => readOtlpJson('{"batch":[]}')).toThrow(
    'The body is JSON but not OTLP: it has batch and no resourceSpans.',
  );
  expect(() => readOtlpJson('[')).toThrow('The body is not a JSON object.');
  expect(readOtlpJson('{}').spans).toEqual([]);
});

test('limits: depth of a value, attributes of a span, spans of a request', () => {
  let deep: Record<string, unknown> = { stringValue: 'end' };
  for (let level = 0; level < 200; level += 1) deep = { arrayValue: { values: [deep] } };
  const many = Array.from({ length: otlpLimits.attributes + 5 }, (_, n) => ({ key: `k${n}`, value: { intValue: n } }));
  const one = request([{ ...span, attributes: [{ key: 'deep', value: deep }, ...many] }]);
  for (const read of [readOtlpJson(JSON.stringify(one)), readOtlpProtobuf(writeOtlpProtobuf(one))]) {
    const [first] = read.spans;
    expect(Object.keys(first?.attributes ?? {})).toHaveLength(otlpLimits.attributes);
    expect(JSON.stringify(first?.attributes.deep)).toContain('nested too deeply');
  }
  const crowd = request(Array.from({ length: otlpLimits.spans + 3 }, () => span));
  expect(readOtlpJson(JSON.stringify(crowd))).toMatchObject({
    rejected: 3,
    problem: expect.stringContaining('50,000 spans'),
  });
});
