import { afterEach, expect, test } from 'vitest';
import { PUT as choose, GET as readChoices } from '@/app/api/v1/notices/choices/route';
import { POST as markRead } from '@/app/api/v1/notices/read/route';
import { GET as list } from '@/app/api/v1/notices/route';
import { GET as readLine, PUT as setLine } from '@/app/api/v1/projects/[project]/notice-line/route';
import type { ProjectId } from '@/lib/base/ids';
import { tellRecorded } from '@/lib/jobs/notify/tell';
import { noticeShop } from '@/lib/testing/notice-shop';
import { testDatabase } from '@/lib/testing/postgres';
import { scriptRequest, tokenFor, withTokens } from '@/lib/testing/token-people';

const { url, store } = await testDatabase();
withTokens(url);
const { project, team, endedRun, clear } = noticeShop(store);

afterEach(clear);

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

async function call(route: Route, token: string, id: ProjectId, body?: unknown) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const request = scriptRequest(`Bearer ${token}`, init);
  const response = await route(request, { params: Promise.resolve({ project: id }) as never });
  const text = await response.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, body: parsed };
}

test('a script with a token marks notices of its person as read, and sets the line of a project', async () => {
  const id = await project();
  const { ada, ed } = await team(id);
  const [ofAda, ofEd] = [await tokenFor(ada, ['read', 'manage']), await tokenFor(ed, ['read'])];
  expect(await call(readLine, ofAda, id)).toEqual({ status: 200, body: { usd: null, seconds: null } });
  expect((await call(setLine, ofAda, id, { usd: 0.5, seconds: null })).status).toBe(204);
  expect(await call(readLine, ofAda, id)).toEqual({ status: 200, body: { usd: 0.5, seconds: null } });
  expect((await call(setLine, ofAda, id, { usd: 0, seconds: null })).status).toBe(400);
  expect((await call(setLine, ofEd, id, { usd: null, seconds: null })).status).toBe(403);

  await endedRun(id, { by: ed.by, status: 'failed', usd: 1, seconds: 1 });
  await tellRecorded(store);
  const told = (await call(list, ofEd, id)).body as { notices: { id: string; isRead: boolean }[] };
  expect(told.notices.map(({ isRead }) => isRead)).toEqual([false, false]);
  const isReadNow = async () => ((await call(list, ofEd, id)).body as typeof told).notices.map(({ isRead }) => isRead);
  // Another person marks nothing of it.
  await call(markRead, ofAda, id, { ids: told.notices.map((notice) => notice.id) });
  expect(await isReadNow()).toEqual([false, false]);
  expect(await call(markRead, ofEd, id, { ids: [told.notices[0]?.id] })).toEqual({ status: 200, body: { unread: 1 } });
  expect(await isReadNow()).toEqual([true, false]);
  await call(markRead, ofEd, id, { ids: 'all' });
  expect(await isReadNow()).toEqual([true, true]);
});

test('a token does not change how its person hears of notices', async () => {
  const id = await project();
  const { rae } = await team(id);
  const token = await tokenFor(rae, ['read', 'review']);
  const choice = { group: 'runs', inApp: false, mail: false };
  for (const [route, body] of [[readChoices], [choose, choice]] as const) {
    expect(await call(route, token, id, body)).toMatchObject({ status: 403, body: { error: { code: 'not_allowed' } } });
  }
});
