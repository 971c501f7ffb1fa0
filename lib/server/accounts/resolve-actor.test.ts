import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { localActor } from '@/lib/base/actor';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { decide } from '@/lib/base/rights';
import { services } from '@/lib/server/services';
import { putMember } from '@/lib/store/members';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { setProjectMakers } from './people';
import { resolveActor } from './resolve-actor';
import { signInWithPassword } from './sign-in';

const { url, store } = await testDatabase();
withAccounts();

const project = async (name: string) => {
  const id = brandAs<ProjectId>(randomUUID());
  await store.prisma.project.create({ data: { id, name } });
  return id;
};

it('a request belongs to its person, with the roles of this moment', async () => {
  vi.stubEnv('DATABASE_URL', url);
  const { id } = await makePerson(store, 'ann@actor.example');
  const [one, two] = [await project('one'), await project('two')];
  await putMember(store.pool, { project: one, userId: id, role: 'editor', answers: true, addedBy: 'local' });
  const { cookies } = await signInWithPassword(store, browserRequest(), {
    email: 'ann@actor.example',
    password: testPassword,
  });
  const ask = () => resolveActor(browserRequest(cookies, '/', { headers: { 'sec-fetch-site': 'same-origin' } }));
  const reach = { kind: 'person', userId: id, name: 'ann', isAdministrator: false, makesProjects: true };
  expect(await ask()).toEqual({
    by: 'ann@actor.example',
    via: 'web',
    reach: { ...reach, members: new Map([[one, { role: 'editor', answers: true }]]) },
  });
  await putMember(store.pool, { project: two, userId: id, role: 'viewer', answers: false, addedBy: 'local' });
  expect((await ask())?.reach).toMatchObject({
    members: new Map([
      [one, { role: 'editor', answers: true }],
      [two, { role: 'viewer', answers: false }],
    ]),
  });
  expect(await resolveActor(browserRequest())).toBeUndefined();

  const { pool } = (await services()).store;
  const query = vi.spyOn(pool, 'query');
  await ask();
  expect(query).toHaveBeenCalledTimes(1);
  await resolveActor(browserRequest(['callboard_3000.session_token=forged.AAAA']));
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
});

it('where only administrators make projects, a person without a role makes none', async () => {
  vi.stubEnv('DATABASE_URL', url);
  const emails = ['bob@actor.example', 'root@actor.example'] as const;
  await makePerson(store, emails[0]);
  await makePerson(store, emails[1], { administrator: true });
  const mayMake = async (email: string) => {
    const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
    const actor = await resolveActor(browserRequest(cookies));
    return actor && decide(actor.reach, 'project.create', null);
  };
  expect([await mayMake(emails[0]), await mayMake(emails[1])]).toEqual(['allowed', 'allowed']);
  await setProjectMakers(localActor('web'), true);
  expect([await mayMake(emails[0]), await mayMake(emails[1])]).toEqual(['refused', 'allowed']);
  await setProjectMakers(localActor('web'), false);
  expect(await mayMake(emails[0])).toBe('allowed');
});
