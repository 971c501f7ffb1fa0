import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST as importFile } from '@/app/api/v1/imports/route';
import { GET as readTimeline } from '@/app/api/v1/runs/[run]/timeline/route';
import type { Json, JsonObject } from '@/lib/base/json';
import { eventFormat } from '@/lib/runtime/record/event-format';
import { changed, oddText, oddValue } from '@/lib/testing/odd-json';
import { testDatabase } from '@/lib/testing/postgres';
import { tries } from '@/lib/testing/tries';

/** Files of runs that no tool writes: each is imported or refused with a sentence, and what was imported can be shown. */
const seed = 20_261_123;

const { url } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const headers = { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' };
const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 };
const header: Json = { callboard: 'events', format: eventFormat };
const path = 'lead';
const bodies: readonly JsonObject[] = [
  { kind: 'run.started', runId: 'r', correlationId: 'c', entryAgent: 'lead', message: 'go', scripted: false },
  { kind: 'instance.queued', path, agentName: 'lead', instanceName: 'lead', correlationId: 'c', depth: 0 },
  { kind: 'instance.started', path, input: 'go' },
  { kind: 'log', level: 'info', code: 'x', message: 'said' },
  { kind: 'instance.ended', path, status: 'completed', result: 'Done', usage },
  { kind: 'run.finished', status: 'completed', answer: 'Done', usage },
];
const events: readonly Json[] = bodies.map((event, index) => ({ seq: index + 1, at: 1_000 + index, ...event }));

async function imported(text: string) {
  const body = JSON.stringify({ files: { 'run.ndjson': text } });
  const request = new Request('http://127.0.0.1:3000/api/v1/imports', { method: 'POST', headers, body });
  const response = await importFile(request, { params: Promise.resolve({}) });
  const answer = await response.json();
  if (response.status !== 201) return { status: response.status, message: String(answer.error.message) };
  for (const run of answer.runs) {
    const shown = await readTimeline(new Request(`http://127.0.0.1:3000/api/v1/runs/${run}/timeline`, { headers }), {
      params: Promise.resolve({ run }),
    });
    expect(shown.status).toBe(200);
  }
  return { status: 201, message: '' };
}

const linesOf = (log: readonly Json[]) => log.map((line) => JSON.stringify(line)).join('\n');

test('a log of events is imported', async () => {
  expect(await imported(linesOf([header, ...events]))).toEqual({ status: 201, message: '' });
});

test.each([
  ['that has no events', linesOf([header])],
  ['that begins in the middle', linesOf([header, ...events.slice(1)])],
  ['with a line that is not JSON', `${linesOf([header, ...events])}\n{"seq":`],
  ['with a line that is nested too deeply', `${linesOf([header, ...events])}\n${'['.repeat(50_000)}`],
  ['of a format that never was', linesOf([{ callboard: 'events', format: -1e308 }, ...events])],
  ['of a format between two', linesOf([{ callboard: 'events', format: 0.5 }, ...events])],
  ['of a later format', linesOf([{ callboard: 'events', format: 1e9 }, ...events])],
])('a log %s is refused with a sentence', async (_, text) => {
  expect(await imported(text)).toEqual({ status: 400, message: expect.stringMatching(/\w.* .*\.$/s) });
});

test('a log with one odd thing in it is imported or refused with a sentence', async () => {
  const property = fc.asyncProperty(
    fc.nat(200),
    oddValue,
    fc.option(oddText, { nil: undefined }),
    async (at, value, name) => {
      const log = changed([header, ...events], at, value, name);
      const { status, message } = await imported(Array.isArray(log) ? linesOf(log) : JSON.stringify(log));
      expect({ status, message }).toEqual(
        status === 201 ? { status, message: '' } : { status: 400, message: expect.stringMatching(/\w.* .*\w/s) },
      );
    },
  );
  await fc.assert(property, { seed, numRuns: tries(300) });
});
