import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { cardText, memberOf, reviewDesk } from '@/lib/testing/review-desk';
import { setRule } from './policy';
import { rollBack } from './revisions';
import { checkRollBack } from './roll-back';

const { url, store } = await testDatabase();
const desk = reviewDesk(store);

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

async function wasLive(fields: string) {
  const id = await desk.project({ 'lead.md': cardText('lead', 'One.', fields) });
  await desk.publish(localActor, id);
  await desk.write(id, 'lead.md', cardText('lead', 'Two.'));
  await desk.publish(localActor, id);
  return id;
}

test('a roll back to a revision that now breaks a rule has a warning before and after, and is not refused', async () => {
  const id = await wasLive('shell: true\n');
  expect(await checkRollBack(localActor, id, { label: 'live' })).toEqual({ revision: 1, warnings: [] });
  await setRule(localActor, id, { name: 'No shell', level: 'block', demand: { kind: 'no_shell' } });
  const warnings = [expect.stringContaining("'No shell'")];
  expect(await checkRollBack(memberOf(id, 'Eve', 'viewer'), id, { label: 'live' })).toEqual({ revision: 1, warnings });
  expect(await checkRollBack(localActor, id, { label: 'live', to: 2 })).toEqual({ revision: 2, warnings: [] });
  expect(await rollBack(localActor, id, { label: 'live', note: '' })).toMatchObject({
    revision: { number: 1 },
    warnings,
  });
});

test('a rule that only warns and a first revision cause no warning before a roll back', async () => {
  const id = await wasLive('shell: true\n');
  await setRule(localActor, id, { name: 'No shell', level: 'warn', demand: { kind: 'no_shell' } });
  expect(await rollBack(localActor, id, { label: 'live', note: '' })).toMatchObject({ warnings: [] });
  await expect(checkRollBack(localActor, id, { label: 'live' })).rejects.toMatchObject({ code: 'conflict' });
});
