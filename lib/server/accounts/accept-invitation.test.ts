import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { insertInvitation } from '@/lib/store/invitations';
import { putMember } from '@/lib/store/members';
import { findPerson } from '@/lib/store/people';
import { makePerson, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { acceptWithAccount, acceptWithNewAccount, readInvitationLink } from './accept-invitation';

const { store } = await testDatabase();
withAccounts();

const sentenceOf = async (work: Promise<unknown>) => {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

async function invite(email: string, { role = 'editor', answers = true } = {}) {
  const project = brandAs<ProjectId>(randomUUID());
  await store.prisma.project.create({ data: { id: project, name: `Project of ${email}` } });
  const token = await insertInvitation(store.pool, {
    id: randomUUID(),
    email,
    project,
    role,
    answers,
    administrator: false,
    invitedBy: 'ada@invite.example',
    days: 7,
  });
  return { project, token };
}

const given = { name: 'Ann', password: 'seven green umbrellas' };

it('an invitation makes one account with its role, also when two use it at the same time', async () => {
  const { project, token } = await invite('ann@invite.example');
  expect(await readInvitationLink(store, token)).toMatchObject({ email: 'ann@invite.example', hasAccount: false });
  const ends = await Promise.all([1, 2].map(() => sentenceOf(acceptWithNewAccount(store, token, given))));
  expect(ends.toSorted()).toEqual(['done', expect.stringMatching(/^(?:not_allowed|conflict): /)]);
  expect(await findPerson(store, { email: 'Ann@Invite.example' })).toMatchObject({
    name: 'Ann',
    isAdministrator: false,
    members: [{ project, role: 'editor', answers: true }],
  });
  expect(await sentenceOf(acceptWithNewAccount(store, token, given))).toMatch(/accepted already/);
});

it('a name with control characters is refused, and the invitation stays open', async () => {
  const { token } = await invite('odd@invite.example');
  const odd = { ...given, name: 'Eve\r\nann@invite.example  administrator' };
  expect(await sentenceOf(acceptWithNewAccount(store, token, odd))).toBe(
    'bad_request: The name has control characters. Type it again without them.',
  );
  expect(await findPerson(store, { email: 'odd@invite.example' })).toBeUndefined();
  expect(await sentenceOf(acceptWithNewAccount(store, token, given))).toBe('done');
});

it('somebody with an account adds the project, and nobody else can', async () => {
  const [bob, cy] = [await makePerson(store, 'bob@invite.example'), await makePerson(store, 'cy@invite.example')];
  const { project, token } = await invite('bob@invite.example', { role: 'viewer', answers: false });
  expect(await sentenceOf(acceptWithNewAccount(store, token, given))).toMatch(/^conflict: There is an account/);
  expect(await sentenceOf(acceptWithAccount(store, token, cy))).toMatch(/for bob@invite.example, and you are/);
  await acceptWithAccount(store, token, bob);
  const members = [{ project, name: 'Project of bob@invite.example', role: 'viewer', answers: false }];
  expect((await findPerson(store, { id: bob.id }))?.members).toEqual(members);
});

it('an invitation that has expired or was replaced says what to do', async () => {
  const first = await invite('dee@invite.example');
  await store.pool.query(
    `UPDATE "Invitation" SET "expiresAt" = now() - interval '1 second' WHERE email = 'dee@invite.example'`,
  );
  expect(await sentenceOf(readInvitationLink(store, first.token))).toMatch(/has expired\. Ask whoever invited you/);
  expect(await sentenceOf(readInvitationLink(store, 'cut'))).toMatch(/may be cut/);
  expect(JSON.stringify((await store.pool.query('SELECT * FROM "Invitation"')).rows)).not.toContain(first.token);
});

it('accepting an invitation to a lower role keeps the higher one and the right to answer', async () => {
  const eve = await makePerson(store, 'eve@invite.example');
  const memberAfter = async (
    first: { role: string; answers: boolean },
    invited: { role: string; answers: boolean },
  ) => {
    const { project, token } = await invite(eve.email, invited);
    await putMember(store.pool, { project, userId: eve.id, ...first, addedBy: 'ada@invite.example' });
    await acceptWithAccount(store, token, eve);
    return (await findPerson(store, { id: eve.id }))?.members.find((member) => member.project === project);
  };
  const [low, high] = [
    { role: 'viewer', answers: false },
    { role: 'admin', answers: true },
  ];
  expect(await memberAfter(high, low)).toMatchObject(high);
  expect(await memberAfter(low, high)).toMatchObject(high);
  expect(await memberAfter({ role: 'editor', answers: false }, { role: 'runner', answers: true })).toMatchObject({
    role: 'editor',
    answers: true,
  });
});
