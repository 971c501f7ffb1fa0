import { expect, it, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { findPerson } from '@/lib/store/people';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { invite, makeResetLink, readPeople, setActive, setAdministrator, takeBackInvitation } from './people';
import { findSession } from './session';
import { signInWithPassword } from './sign-in';

const { url, store } = await testDatabase();
withAccounts();

it('the last administrator stays, and a deactivated person is signed out', async () => {
  vi.stubEnv('DATABASE_URL', url);
  const ada = await makePerson(store, 'ada@people.example', { administrator: true });
  const bob = await makePerson(store, 'bob@people.example');
  const reach = { kind: 'person', userId: ada.id, name: 'ada', isAdministrator: true, members: new Map() } as const;
  const actor: Actor = { by: ada.email, via: 'web', reach };
  await expect(setActive(actor, ada.id, false)).rejects.toThrow('last administrator');
  await expect(setAdministrator(actor, ada.id, false)).rejects.toThrow('last administrator');
  await setAdministrator(actor, bob.id, true);
  const both = [setAdministrator(actor, ada.id, false), setAdministrator(actor, bob.id, false)];
  expect((await Promise.allSettled(both)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await setAdministrator(actor, ada.id, true);

  const given = { email: bob.email, password: testPassword };
  const { cookies } = await signInWithPassword(store, browserRequest(), given);
  await setActive(actor, bob.id, false);
  expect(await findSession(store, browserRequest(cookies).headers)).toBeUndefined();
  expect((await findPerson(store, { id: bob.id }))?.deactivatedAt).not.toBeNull();

  expect(await makeResetLink(actor, bob.id)).toMatch(/^\/reset\?token=[\w-]{43}$/);
  const asked = { email: 'Cy@People.example', project: null, role: null, answers: false, administrator: false };
  expect(await invite(actor, asked)).toMatch(/^\/invite\?token=[\w-]{43}$/);
  const [open] = (await readPeople(actor)).invitations;
  expect(open?.email).toBe('cy@people.example');
  await takeBackInvitation(actor, null, open?.id ?? '');
  expect((await readPeople(actor)).invitations).toEqual([]);
});
