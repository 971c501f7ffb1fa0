import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POST } from '@/app/v1/traces/route';
import { eventually } from '@/lib/testing/eventually';
import { testDatabase } from '@/lib/testing/postgres';
import { GET } from './route';

const { url, store } = await testDatabase();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));
afterAll(() => vi.unstubAllEnvs());

const span = {
  ...{ traceId: 'a'.repeat(32), spanId: '1'.repeat(16), name: 'work', kind: 1, attributes: [] },
  ...{ startTimeUnixNano: '1763628000000000000', endTimeUnixNano: '1763628000090000000' },
};

test('a run of more than 100 MB is exported without messages only, and the sentence names the next step', async () => {
  const headers = { Host: '127.0.0.1:3000', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  await POST(new Request('http://127.0.0.1:3000/v1/traces', { method: 'POST', headers, body }), {
    params: Promise.resolve({}),
  });
  const id = await eventually(
    async () => (await store.prisma.run.findFirstOrThrow({ where: { bytes: { gt: 0 } } })).id,
  );
  const get = async (texts: string) =>
    await GET(new Request(`http://127.0.0.1:3000/api/v1/runs/${id}/otlp?texts=${texts}`, { headers }), {
      params: Promise.resolve({ run: id }),
    });
  await store.prisma.run.update({ where: { id }, data: { bytes: 100_000_000 } });
  expect((await get('yes')).status).toBe(200);
  await store.prisma.run.update({ where: { id }, data: { bytes: 100_000_001 } });
  expect((await get('no')).status).toBe(200);
  const refused = await get('yes');
  expect([refused.status, await refused.text()]).toEqual([
    413,
    expect.stringContaining('Export the event log instead'),
  ]);
});
