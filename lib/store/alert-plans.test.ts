import { beforeAll, expect, test } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { ownDatabase } from '@/lib/testing/postgres';
import { costsOf } from '@/lib/testing/statement-costs';
import { countsOfAlerts } from './alerts';

const { url, store } = await ownDatabase();
const now = Date.now();

beforeAll(async () => {
  await store.pool.query(
    `INSERT INTO "RunTally" ("projectId", kind, name, at, bucket, calls, failed, tokens, "costUsd", "peopleMs", folded)
     SELECT 'p' || project, kind, 'a', date_trunc('hour', now()) - hours * interval '1 hour', 9, 1, 0, 1, 1, 0, true
     FROM generate_series(1, 1000) project, generate_series(1, 40) hours, unnest(ARRAY['run', 'agent']) kind`,
  );
  await store.pool.query('VACUUM ANALYZE "RunTally"');
});

const line = { figure: 'errorRate', kind: 'run', name: '', hours: 168 } as const;
const ofProject = { id: 'a', projectId: brandAs<ProjectId>('p7'), ...line };

test('the sums of an alert are read from those of its project, however many others there are', async () => {
  expect((await countsOfAlerts(store.pool, [ofProject], now)).get('a')).toMatchObject([{ figures: { calls: 40 } }]);
  const costs = await costsOf(url, (counted) => countsOfAlerts(counted.pool, [ofProject], now));
  expect(costs.flatMap(({ wholeTables }) => wholeTables)).toEqual([]);
  expect(costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(200);
});
