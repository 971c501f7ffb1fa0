import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import type { ExportSettings } from '@/lib/interop/otlp/export-settings';
import { readOtlpJson } from '@/lib/interop/otlp/read-otlp-json';
import { readOtlpProtobuf } from '@/lib/interop/otlp/read-otlp-protobuf';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { eventsOf } from '@/lib/testing/events-of';
import { fakeClock } from '@/lib/testing/fake-clock';
import { OtlpTrace } from '@/lib/trace/otel';
import { createSpanExporter, type SpanExporter } from './span-exporter';
import { systemClock } from './system-clock';

interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly path: string | undefined;
  readonly spans: readonly ReceivedSpan[];
}

type Answer = (response: http.ServerResponse, request: number) => void;

const open: { readonly server: http.Server; exporter: SpanExporter | undefined }[] = [];

afterEach(async () => {
  for (const { server, exporter } of open.splice(0)) {
    server.closeAllConnections();
    server.close();
    await exporter?.close();
  }
});

/** A collector on loopback, and what it has received. `answered` counts the requests that it took. */
async function collector(answer: Answer = (response) => response.end()) {
  const received: Received[] = [];
  let wake = () => {};
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const sent = Buffer.concat(parts);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const isJson = request.headers['content-type'] === 'application/json';
      const { spans } = isJson ? readOtlpJson(body.toString('utf8')) : readOtlpProtobuf(body);
      received.push({ headers: request.headers, path: request.url, spans });
      answer(response, received.length);
      wake();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const logs: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const entry: (typeof open)[number] = { server, exporter: undefined };
  open.push(entry);
  return {
    received,
    logs,
    exporter(changes: Partial<ExportSettings> = {}, clock = systemClock) {
      const settings: ExportSettings = {
        url: `http://127.0.0.1:${port}/v1/traces`,
        headers: { authorization: 'Bearer sk-collector' },
        protocol: 'http/protobuf',
        gzip: false,
        timeoutMs: 5_000,
        serviceName: 'desk',
        ...changes,
      };
      entry.exporter = createSpanExporter(settings, clock, log);
      return entry.exporter;
    },
    async requests(count: number) {
      while (received.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
}

/** A span must not begin at time 0, which stands for an unknown time. */
const events = eventsOf(
  'lead 0-90: model 0-10, model 80-90',
  'writer[1] 10-40: time__now 12-20',
  'writer[2] 10-60',
).map((event) => ({ ...event, at: brandAs<EpochMs>(event.at + 1_763_628_000_000) }));

function wholeTrace(): readonly string[] {
  const trace = new OtlpTrace();
  for (const event of events) trace.add(event);
  return trace
    .toJson()
    .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)))
    .sort();
}

const idsOf = (received: readonly Received[]) =>
  received.flatMap(({ spans }) => spans.map((span) => span.spanId)).sort();

describe('the exporter of spans', () => {
  it.each([
    { protocol: 'http/json', gzip: false },
    { protocol: 'http/protobuf', gzip: true },
  ] as const)('sends every span of a run when it ends ($protocol)', async (form) => {
    const { received, requests, exporter, logs } = await collector();
    const run = exporter(form).open();
    for (const event of events) run.add(event);
    await requests(1);
    expect(idsOf(received)).toEqual(wholeTrace());
    expect(received[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer sk-collector' } });
    expect(received[0]?.spans[0]?.resource).toMatchObject({ 'service.name': 'desk' });
    expect(logs).toEqual([]);
  });

  it('sends the spans of a run that goes on after five seconds, and the rest when the worker stops', async () => {
    const { received, requests, exporter } = await collector();
    const clock = fakeClock();
    const spans = exporter({}, clock);
    const run = spans.open();
    const half = events.findIndex((event) => event.kind === 'instance.ended');
    for (const event of events.slice(0, half)) run.add(event);
    await clock.advance(4_999);
    expect(received).toEqual([]);
    await clock.advance(1);
    await requests(1);
    for (const event of events.slice(half, half + 1)) run.add(event);
    await spans.close();
    expect(received.length).toBe(2);
    expect(new Set(idsOf(received)).size).toBe(idsOf(received).length);
  });

  it('does not send again what an earlier attempt of the run sent', async () => {
    const { received, requests, exporter } = await collector();
    const run = exporter().open();
    const half = events.findIndex((event) => event.kind === 'instance.ended');
    for (const event of events.slice(0, half)) run.addRecorded(event);
    for (const event of events.slice(half)) run.add(event);
    await requests(1);
    const first = new OtlpTrace({ live: true });
    for (const event of events.slice(0, half)) first.add(event);
    const sent = first.takeEnded().map(({ spanId }) => spanId);
    expect(sent.length).toBeGreaterThan(0);
    expect(idsOf(received)).toEqual(wholeTrace().filter((id) => !sent.includes(id)));
  });

  it('waits as long as Retry-After says, and sends the same spans again', async () => {
    const { received, requests, exporter, logs } = await collector((response, request) => {
      if (request === 1) response.writeHead(429, { 'retry-after': '7' });
      else if (request === 2) response.writeHead(503);
      response.end();
    });
    const clock = fakeClock();
    const run = exporter({}, clock).open();
    for (const event of events) run.add(event);
    await requests(1);
    const waits: number[] = [];
    for (const next of [2, 3]) {
      while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
      const before = clock.now();
      while (received.length < next) {
        await clock.advance(500);
        await new Promise((resolve) => setImmediate(resolve));
        if (clock.sleeping() === 0) break;
      }
      await requests(next);
      waits.push(clock.now() - before);
    }
    expect(waits).toEqual([7_000, 1_000]);
    expect(idsOf(received.slice(1, 2))).toEqual(idsOf(received.slice(0, 1)));
    expect(idsOf(received.slice(2))).toEqual(wholeTrace());
    expect(logs).toEqual([]);
  });

  it('gives up on an answer that is not retryable, and says how many spans are lost, without the headers', async () => {
    const { requests, exporter, logs } = await collector((response) => response.writeHead(401).end('no sk-collector'));
    const spans = exporter();
    const run = spans.open();
    for (const event of events) run.add(event);
    await requests(1);
    await spans.close();
    expect(logs).toMatchObject([{ level: 40, dropped: wholeTrace().length, problem: 'The collector answered 401.' }]);
    expect(JSON.stringify(logs)).not.toContain('sk-collector');
  });

  it('says what a collector rejected of a request that it took', async () => {
    const { requests, exporter, logs } = await collector((response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }));
    });
    const spans = exporter({ protocol: 'http/json' });
    const run = spans.open();
    for (const event of events) run.add(event);
    await requests(1);
    await spans.close();
    expect(logs).toMatchObject([{ dropped: 2, problem: 'The collector rejected them: too old' }]);
  });

  it('keeps a bounded number of spans for a collector that does not answer, and counts the others', async () => {
    const { requests, exporter, logs } = await collector(() => {});
    const spans = exporter({ timeoutMs: 60_000 });
    const total = 1_500 * wholeTrace().length;
    for (let i = 0; i < 1_500; i += 1) {
      const run = spans.open();
      for (const event of events) run.add(event);
    }
    await requests(1);
    await spans.close();
    const lost = logs.reduce((sum, { dropped }) => sum + Number(dropped), 0);
    expect(lost).toBe(total);
  });
});
