import { beforeAll, expect, it, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { whyNot } from '@/lib/base/project-access';
import { type Membership, roles } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import { readAccess } from '@/lib/server/project-access';
import { findAudit } from '@/lib/store/audit';
import { insertProject } from '@/lib/store/projects';
import { makePerson, withAccounts } from '@/lib/testing/accounts';
import { testDatabase } from '@/lib/testing/postgres';
import { invite, removeMember, setMember, takeBackInvitation } from './people';
import { readMembers } from './project-members';

const { url, store } = await testDatabase();
withAccounts();
beforeAll(() => vi.stubEnv('DATABASE_URL', url));

type Made = Awaited<ReturnType<typeof makePerson>>;

function actorOf(person: Made, members: readonly (readonly [ProjectId, Membership])[], isAdministrator = false): Actor {
  const reach = { kind: 'person', userId: person.id, name: person.name, isAdministrator } as const;
  return { by: person.email, via: 'web', reach: { ...reach, members: new Map(members) } };
}

const project = () => insertProject(store, 'Poems', folderOf({ 'a.md': '---\nname: a\n---\nA.\n' }), { origin: 'api' });

it('everybody who may open a project sees its members, admins its invitations, and others no project', async () => {
  const [id, other] = [await project(), await project()];
  const ada = await makePerson(store, 'ada@members.example', { administrator: true });
  const lea = await makePerson(store, 'lea@members.example');
  const vic = await makePerson(store, 'vic@members.example');
  const administrator = actorOf(ada, [], true);
  await setMember(administrator, id, { userId: lea.id, role: 'admin', answers: true });
  await setMember(administrator, id, { userId: vic.id, role: 'viewer', answers: false });
  const lead = actorOf(lea, [[id, { role: 'admin', answers: true }]]);
  const viewer = actorOf(vic, [[id, { role: 'viewer', answers: false }]]);
  await invite(lead, {
    email: 'New@members.example',
    project: id,
    role: 'runner',
    answers: true,
    administrator: false,
  });

  const seen = await readMembers(viewer, id);
  expect(seen.members).toEqual([
    { userId: lea.id, name: 'lea', email: lea.email, role: 'admin', answers: true, isDeactivated: false },
    { userId: vic.id, name: 'vic', email: vic.email, role: 'viewer', answers: false, isDeactivated: false },
  ]);
  expect(seen).toMatchObject({ name: 'Poems', administrators: ['ada'], invitations: undefined });
  const [invitation] = (await readMembers(lead, id)).invitations ?? [];
  expect(invitation).toMatchObject({ email: 'new@members.example', role: 'runner', answers: true });
  await expect(readMembers(viewer, other)).rejects.toMatchObject({ code: 'not_found' });
});

it('an admin of a project takes back invitations to it alone, once, and it is in the audit log', async () => {
  const [id, other] = [await project(), await project()];
  const lea = await makePerson(store, 'lea@back.example');
  const lead = actorOf(lea, [[id, { role: 'admin', answers: true }]]);
  const root = actorOf(await makePerson(store, 'root@back.example', { administrator: true }), [], true);
  const asked = { email: 'x@back.example', role: 'viewer', answers: false, administrator: false } as const;
  await invite(root, { ...asked, project: other });
  await invite(lead, { ...asked, project: id });
  const of = async (project: ProjectId) => (await readMembers(root, project)).invitations?.[0]?.id ?? 'none';
  const [mine, theirs] = [await of(id), await of(other)];

  await expect(takeBackInvitation(lead, id, theirs)).rejects.toMatchObject({ code: 'conflict' });
  await expect(takeBackInvitation(lead, other, theirs)).rejects.toMatchObject({ code: 'not_found' });
  await takeBackInvitation(lead, id, mine);
  await expect(takeBackInvitation(lead, id, mine)).rejects.toThrow('accepted or taken back already');
  expect([await of(id), await of(other)]).toEqual(['none', theirs]);
  const [entry] = await findAudit(store, { actions: ['invitation.revoked'], limit: 1 }, undefined);
  expect(entry).toMatchObject({ actor: lea.email, object: 'x@back.example', project: id });
});

it('an admin changes a role and the right to answer, removes a person, and nobody else does', async () => {
  const id = await project();
  const [lea, vic] = [await makePerson(store, 'lea@roles.example'), await makePerson(store, 'vic@roles.example')];
  const root = actorOf(await makePerson(store, 'root@roles.example', { administrator: true }), [], true);
  await setMember(root, id, { userId: lea.id, role: 'admin', answers: false });
  await setMember(root, id, { userId: vic.id, role: 'viewer', answers: false });
  const lead = actorOf(lea, [[id, { role: 'admin', answers: false }]]);
  for (const role of roles.filter((each) => each !== 'admin')) {
    const actor = actorOf(vic, [[id, { role, answers: true }]]);
    await expect(setMember(actor, id, { userId: vic.id, role: 'admin', answers: true })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(removeMember(actor, id, lea.id)).rejects.toMatchObject({ code: 'not_allowed' });
  }
  await expect(setMember(lead, id, { userId: vic.id, role: 'editor', answers: true })).rejects.toThrow(
    'You may not answer questions in this project, so you cannot let others do it.',
  );
  await setMember(lead, id, { userId: vic.id, role: 'editor', answers: false });
  const rolesNow = async () => (await readMembers(root, id)).members.map(({ name, role }) => `${name} ${role}`);
  expect(await rolesNow()).toEqual(['lea admin', 'vic editor']);
  await removeMember(lead, id, vic.id);
  expect(await rolesNow()).toEqual(['lea admin']);
  await expect(removeMember(lead, id, vic.id)).rejects.toMatchObject({ code: 'conflict' });
});

it('a page says beforehand what the server would refuse, in the same words', async () => {
  const id = await project();
  const [lea, vic] = [await makePerson(store, 'lea@words.example'), await makePerson(store, 'vic@words.example')];
  const root = actorOf(await makePerson(store, 'root@words.example', { administrator: true }), [], true);
  await setMember(root, id, { userId: lea.id, role: 'admin', answers: true });
  const viewer = actorOf(vic, [[id, { role: 'viewer', answers: false }]]);
  const access = await readAccess(viewer, id);
  expect(access).toEqual({ rights: ['read'], role: 'viewer', ask: 'lea', accounts: true });
  const refused = await invite(viewer, {
    email: 'y@words.example',
    project: id,
    role: 'viewer',
    answers: false,
    administrator: false,
  }).catch((error: Error) => error.message);
  expect(refused).toBe(
    'You may not change who works on this project. It needs the role admin, and yours is viewer. Ask lea.',
  );
  expect(whyNot(access, 'project.members')).toBe(refused);
  expect(whyNot(access, 'item.answer')).toBe(
    'You may not answer what runs of this project ask. It needs the right to answer questions, and yours is viewer. Ask lea.',
  );
  expect(whyNot(access, 'project.read')).toBeUndefined();
  expect(whyNot(await readAccess(root, id), 'project.delete')).toBeUndefined();
});
