import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { AuditAction } from '@/lib/base/audit';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { findAudit } from '@/lib/store/audit';
import { makeAuthLink } from '@/lib/store/auth-links';
import { insertPasskey } from '@/lib/store/passkeys';
import { insertProject } from '@/lib/store/projects';
import { browserRequest, makePerson, testPassword, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { acceptWithNewAccount } from './accept-invitation';
import { changeOwnPassword, endOwnSessions, forgetPasskey } from './own-account';
import {
  invite,
  removeMember,
  setActive,
  setAdministrator,
  setMember,
  setProjectMakers,
  setSecondFactorRequired,
} from './people';
import { resolveActor } from './resolve-actor';
import { setUp } from './setup';
import { signInWithPassword, signOut } from './sign-in';

const { url, store } = await testDatabase();
withAccounts();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));

interface Expected {
  readonly actor: string;
  readonly object: string;
  readonly project: ProjectId | null;
}

let people = 0;
const newEmail = () => `person${people++}@entries.example`;
const newProject = () =>
  insertProject(store, 'Poems', folderOf({ 'a.md': '---\nname: a\n---\nA.\n' }), { origin: 'api' });

/** Makes a person who is signed in. */
async function signedIn(administrator = false) {
  const { id, email } = await makePerson(store, newEmail(), { administrator });
  const { cookies } = await signInWithPassword(store, browserRequest(), { email, password: testPassword });
  const request = browserRequest(cookies);
  const actor = await resolveActor(request);
  if (actor === undefined) throw new Error('Not signed in');
  return { id, email, request, actor };
}

/** Does something to somebody else as an administrator. */
async function toSomebody(work: (actor: Actor, somebody: { readonly id: string; readonly email: string }) => unknown) {
  const { actor, email } = await signedIn(true);
  const somebody = await makePerson(store, newEmail());
  await work(actor, somebody);
  return { actor: email, object: somebody.email, project: null };
}

/** Makes somebody a member of a project as an administrator. */
async function joined() {
  const { actor, email } = await signedIn(true);
  const [project, somebody] = [await newProject(), await makePerson(store, newEmail())];
  await setMember(actor, project, { userId: somebody.id, role: 'editor', answers: false });
  return { admin: actor, userId: somebody.id, expected: { actor: email, object: somebody.email, project } };
}

async function invited() {
  const { actor, email: by } = await signedIn(true);
  const [project, email] = [await newProject(), newEmail()];
  const path = await invite(actor, { email, project, role: 'runner', answers: false, administrator: false });
  return { by, email, project, token: path.split('token=')[1] ?? '' };
}

async function withPasskey() {
  const person = await signedIn();
  const passkey = { id: randomUUID(), userId: person.id, credentialId: randomUUID(), publicKey: new Uint8Array(8) };
  const kept = { ...passkey, counter: 0, transports: [], name: 'Laptop' };
  expect(await insertPasskey(store, kept, person.actor)).toBe(true);
  return { ...person, passkey: passkey.id };
}

const self = ({ email }: { readonly email: string }): Expected => ({ actor: email, object: email, project: null });

const acts: readonly (readonly [AuditAction, () => Promise<Expected>])[] = [
  [
    'person.added',
    async () => {
      const token = await makeAuthLink(store.pool, { kind: 'setup', user: null, madeBy: 'callboard' });
      const email = newEmail();
      await setUp(store, token, { name: 'Ada', email, password: 'three quiet rivers' });
      return self({ email });
    },
  ],
  ['person.signed_in', async () => self(await signedIn())],
  [
    'person.signed_out',
    async () => {
      const person = await signedIn();
      await signOut(store, person.request);
      return self(person);
    },
  ],
  [
    'person.sessions_revoked',
    async () => {
      const person = await signedIn();
      await signInWithPassword(store, browserRequest(), { email: person.email, password: testPassword });
      await endOwnSessions(person.actor, person.request, 'others');
      return self(person);
    },
  ],
  [
    'person.password_changed',
    async () => {
      const person = await signedIn();
      const given = { present: testPassword, next: 'another set of words' };
      await changeOwnPassword(person.actor, person.request, given);
      return self(person);
    },
  ],
  ['person.passkey_added', async () => self(await withPasskey())],
  [
    'person.passkey_removed',
    async () => {
      const person = await withPasskey();
      await forgetPasskey(person.actor, person.request, person.passkey);
      return self(person);
    },
  ],
  ['person.administrator_changed', () => toSomebody((actor, { id }) => setAdministrator(actor, id, true))],
  ['person.deactivated', () => toSomebody((actor, { id }) => setActive(actor, id, false))],
  ['person.activated', () => toSomebody((actor, { id }) => setActive(actor, id, true))],
  [
    'installation.project_makers',
    async () => {
      const { actor, email } = await signedIn(true);
      await setProjectMakers(actor, false);
      return { actor: email, object: 'installation', project: null };
    },
  ],
  [
    'installation.second_factor',
    async () => {
      const { actor, email } = await signedIn(true);
      await setSecondFactorRequired(actor, false);
      return { actor: email, object: 'installation', project: null };
    },
  ],
  [
    'invitation.made',
    async () => {
      const { by, email, project } = await invited();
      return { actor: by, object: email, project };
    },
  ],
  [
    'invitation.accepted',
    async () => {
      const { email, project, token } = await invited();
      await acceptWithNewAccount(store, token, { name: 'Cy', password: 'three quiet rivers' });
      return { actor: email, object: email, project };
    },
  ],
  ['member.set', async () => (await joined()).expected],
  [
    'member.removed',
    async () => {
      const { admin, userId, expected } = await joined();
      await removeMember(admin, expected.project, userId);
      return expected;
    },
  ],
];

test.each(acts)('%s is recorded: by whom, about whom and in which project', async (action, act) => {
  const expected = await act();
  const [entry] = await findAudit(store, { actions: [action], limit: 1 }, undefined);
  expect(entry).toMatchObject(expected);
});
