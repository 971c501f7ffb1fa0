import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readOtlpProtobuf } from '@/lib/interop/otlp/read-otlp-protobuf';
import { readAllEvents } from '@/lib/store/events';
import { findProject, insertProject } from '@/lib/store/projects';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { testDatabase } from '@/lib/testing/postgres';
import { startWorkerHere } from '@/lib/testing/worker-here';
import { OtlpTrace } from '@/lib/trace/otel';
import { openRunQueue } from './enqueue';

const secret = 'sk-collector-0123456789';
const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-span-export-'));
const model = await startFakeOpenAI({ respond: () => ({ text: `Not ${secret}.` }) });

/** The span ids, and what tells the test that one more request has come. */
const received: string[] = [];
const authorized: (string | undefined)[] = [];
let wake = () => {};
const collector = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    authorized.push(request.headers.authorization);
    received.push(...readOtlpProtobuf(Buffer.concat(parts)).spans.map(({ spanId }) => spanId));
    response.end();
    wake();
  });
});
collector.listen(0, '127.0.0.1');
await once(collector, 'listening');
const { port } = collector.address() as AddressInfo;
const worker = await startWorkerHere({
  databaseUrl: url,
  dataFolder: data,
  env: {
    OPENAI_API_KEY: 'sk-span-export-0123456789',
    OPENAI_BASE_URL: model.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secret}`,
  },
});

afterAll(async () => {
  await worker.stop();
  collector.closeAllConnections();
  collector.close();
  await model.close();
  rmSync(data, { recursive: true, force: true });
});

test('a worker sends all spans of a run to the collector, and no event has the header', async () => {
  const folder = folderOf({ 'lead.md': '---\nname: lead\nmodel: openai.gpt-test\n---\nSay it.\n' });
  const projectId = await insertProject(store, 'Spans', folder, { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined });
  await new Promise<void>((resolve) => {
    wake = resolve;
  });

  // The collector may have the last spans before the database has the last events.
  let events = await readAllEvents(store, id);
  while (events.at(-1)?.kind !== 'run.finished') events = await readAllEvents(store, id);
  const trace = new OtlpTrace();
  for (const event of events) trace.add(event);
  const [{ scopeSpans } = { scopeSpans: [] }] = trace.toJson().resourceSpans;
  const ids = scopeSpans.flatMap(({ spans }) => spans.map(({ spanId }) => spanId));
  expect(received.toSorted()).toEqual(ids.toSorted());
  expect(authorized).toEqual([`Bearer ${secret}`]);
  expect(JSON.stringify(events)).toContain('Not ***.');
  expect(JSON.stringify(events)).not.toContain(secret);
});
