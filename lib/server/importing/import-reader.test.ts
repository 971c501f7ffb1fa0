import { afterEach, expect, test } from 'vitest';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { eventLogHeader } from '@/lib/interop/files/event-log';
import type { EncodedRun } from '@/lib/store/imported-run-rows';
import { spanShapes, spansOfShape } from '@/lib/testing/span-shapes';
import { importJobs } from './import-jobs';
import { type ImportLimits, type ImportReader, openImportReader } from './import-reader';

let reader: ImportReader | undefined;
afterEach(() => reader?.close());

function openReader(limits?: ImportLimits): ImportReader {
  reader = openImportReader(limits);
  return reader;
}

const runId = brandAs<RunId>('run');
const projectId = brandAs<ProjectId>('project');
const readable = ({ events, trace, ...rest }: EncodedRun) => ({
  ...rest,
  trace: Buffer.from(trace).toString('base64'),
  events: events.map(({ count, json }) => [count, Buffer.from(json).toString()]),
});
const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test.each(spanShapes)('a trace of the shape %s is the same run, whether a thread makes it or not', async (shape) => {
  const pages = [encoded(spansOfShape(shape, 400))];
  expect(pages[0]?.byteLength).toBeGreaterThan(64 * 1024);
  const { run } = await openReader().run({ runId, pages });
  expect(readable(run)).toEqual(readable(importJobs.run({ runId, pages }).run));
});

test('the sender of too many log records hears how many were not taken', () => {
  const record = { traceId: 'a'.repeat(32), timeUnixNano: '1763628000000000000' };
  const logRecords = Array.from({ length: 50_003 }, () => record);
  const { rejected, problem } = importJobs.logs({
    encoding: 'json',
    bytes: encoded({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  expect([rejected, problem]).toEqual([3, expect.stringMatching(/at most 50,000 log records/)]);
});

const log = (text: string) => `${eventLogHeader()}${text.repeat(70_000)}`;

test('what is wrong with a large file is said as it is of a small one', async () => {
  const { files } = openReader();
  const read = (text: string) => files({ files: [['run.ndjson', text]], projectId, now: 0 });
  const refusal = { name: 'AppError', code: 'bad_request', message: expect.stringMatching(/no start of a run/) };
  await expect(read(eventLogHeader())).rejects.toMatchObject(refusal);
  await expect(read(log('\n'))).rejects.toMatchObject(refusal);
  const otlp = openReader().otlp({ encoding: 'json', bytes: encoded({ batch: 'x'.repeat(70_000) }) });
  await expect(otlp).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(/no resourceSpans/) });
});

test('an import that takes too long is refused by its name, and small ones are read meanwhile', async () => {
  const { files, otlp } = openReader({ seconds: 0.001 });
  const late = files({ files: [['large.ndjson', log('{}\n')]], projectId, now: 0 });
  const small = await otlp({ encoding: 'json', bytes: encoded({ resourceSpans: [] }) });
  expect(small).toEqual({ traces: [], rejected: 0, problem: undefined });
  await expect(late).rejects.toMatchObject({
    code: 'too_large',
    message: 'Reading "large.ndjson" takes more than 0.001 seconds. Import fewer or smaller files.',
  });
});

test('an import that needs too much memory is refused, and the next one is read', async () => {
  const { run } = openReader({ megabytes: 32 });
  const pages = [encoded(spansOfShape('flat', 60_000))];
  await expect(run({ runId, pages })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/^Reading this trace takes more than 32 MB of memory\. Record it/),
  });
  expect(await run({ runId, pages: [encoded(spansOfShape('flat', 400))] })).toMatchObject({
    run: { status: 'completed' },
  });
});
