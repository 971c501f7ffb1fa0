import { expect, test } from 'vitest';
import { POST as sendLogs } from '@/app/v1/logs/route';
import { POST as sendTraces } from '@/app/v1/traces/route';
import type { Actor } from '@/lib/base/actor';
import type { Scope } from '@/lib/base/rights';
import { ownDatabase } from '@/lib/testing/postgres';
import { personInBrowser, scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';
import { POST as sendMetrics } from './route';

const { url, store } = await ownDatabase();
withTokens(url);

const span = {
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'work' },
  ...{ startTimeUnixNano: '1000000000', endTimeUnixNano: '2000000000' },
};
const traces = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };

test('what may not be stored, and what has nothing to store, makes no project', async () => {
  const ann = await personInBrowser(store, 'ann@metrics.example');
  const admin = await personInBrowser(store, 'root@metrics.example', { administrator: true });
  const status = async (route: typeof sendMetrics, who: Actor, scope: Scope, body: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const request = scriptRequest(`Bearer ${await tokenFor(who, [scope])}`, init);
    return (await route(request, { params: Promise.resolve({}) })).status;
  };
  expect(await status(sendMetrics, ann, 'read', { resourceMetrics: [] })).toBe(400);
  expect(await status(sendTraces, ann, 'ingest', traces)).toBe(400);
  expect(await status(sendMetrics, admin, 'run', { resourceMetrics: [] })).toBe(200);
  expect(await status(sendLogs, admin, 'run', { resourceLogs: [] })).toBe(200);
  expect(await store.prisma.project.count()).toBe(0);
});
