import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Role } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import type { DemandOf, PolicyRuleBody } from '@/lib/cards/policy/rule';
import { findAudit } from '@/lib/store/audit';
import { insertProject } from '@/lib/store/projects';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { learnServers } from './known-servers';
import { dropRule, readPolicyOf, setRule } from './policy';
import { checkRelease, listReleases, release } from './revisions';

const { url, store } = await testDatabase();

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
});
afterAll(() => vi.unstubAllEnvs());

const files = {
  'lead.md': '---\nname: lead\nmodel: passthrough\nfunction_tools: [tools.ts:send, tools.ts:look]\n---\nLead.\n',
  'tools.ts': 'export function send() {\n  return 1;\n}\nexport function look() {\n  return 2;\n}\n',
};
const guarded: DemandOf<'hook'> = {
  kind: 'hook',
  tools: ['s*'],
  hook: 'guard.ts:guard',
  place: 'any',
};
const rule = (level: PolicyRuleBody['level']): PolicyRuleBody => ({
  name: 'Guarded',
  level,
  demand: guarded,
});
const project = async () => await insertProject(store, 'Own', folderOf(files), { origin: 'blank' });
const publish = async (id: ProjectId, override?: string) =>
  await release(localActor, id, { label: 'live', target: { draft: 'main' }, note: 'Go', override });

function person(own: ProjectId, role: Role): Actor {
  const members = new Map([[own, { role, answers: false }] as const]);
  const reach = { kind: 'person', userId: role, name: role, isAdministrator: false, members } as const;
  return { by: `${role}@example.org`, via: 'web', reach };
}

test('a rule that is broken blocks publishing until it is met or an admin says why not', async () => {
  const id = await project();
  await setRule(localActor, id, rule('block'));
  const { breaches } = await readPolicyOf(localActor, id);
  expect(breaches.map(({ message, file }) => [file, message])).toEqual([
    [
      'lead.md',
      "The rule 'Guarded' of your team is broken in agent 'lead': a call of 'send' does not go through the hook guard.ts:guard.",
    ],
  ]);
  await expect(publish(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Guarded') });
  await dropRule(localActor, id, 'Guarded');
  expect(await publish(id)).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ id: 'policy', ok: true })]),
  });
});

test('people who may set a rule publish past it with a reason, which the release and the audit log keep', async () => {
  const administrator: Actor = {
    by: 'root@example.org',
    via: 'web',
    reach: { kind: 'person', userId: 'root', name: 'Root', isAdministrator: true, members: new Map() },
  };
  const outcome = async (actor: Actor, id: ProjectId, override?: string) => {
    const { checks } = await checkRelease(actor, id, 'live', { draft: 'main' });
    const found = checks.find((check) => check.id === 'policy');
    const done = await release(actor, id, { label: 'live', target: { draft: 'main' }, note: 'Go', override }).then(
      () => 'published',
      (error: Error) => error.message.slice(error.message.lastIndexOf(' Correct it')),
    );
    return [found?.overridable, found?.overriddenBy, done];
  };
  const id = await project();
  await setRule(localActor, id, rule('block'));
  const [reviewer, own] = [person(id, 'reviewer'), person(id, 'admin')];
  const toAdmin = ' Correct it, or ask an admin of the project to override it.';
  expect(await outcome(reviewer, id, 'In a hurry')).toEqual([false, 'admin', toAdmin]);
  expect(await outcome(own, id)).toEqual([true, 'admin', ' Correct it, or override it with a reason.']);
  expect(await outcome(own, id, 'In a hurry')).toEqual([true, 'admin', 'published']);
  expect(await listReleases(own, id, { limit: 1 })).toMatchObject([{ reason: 'In a hurry', overrode: ['policy'] }]);
  const entry = (await findAudit(store, { project: id, limit: 2 }, undefined)).at(1);
  expect(entry).toMatchObject({ actor: own.by, action: 'gate.overridden' });
  expect(JSON.parse(entry?.body ?? '')).toMatchObject({ checks: 'policy', reason: 'In a hurry' });

  // A rule of every project is above the admins of one.
  const other = await project();
  await setRule(localActor, null, { ...rule('block'), name: 'Everywhere' });
  try {
    const toAdministrator = ' Correct it, or ask an administrator of the installation to override it.';
    expect(await outcome(person(other, 'admin'), other, 'So')).toEqual([false, 'administrator', toAdministrator]);
    expect(await outcome(administrator, other, 'So')).toEqual([true, 'administrator', 'published']);
  } finally {
    await dropRule(localActor, null, 'Everywhere');
  }
});

test('a tool of a server that may write blocks publishing until it carries the hook or declares that it only reads', async () => {
  const ofMail = {
    'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [mail]\n---\nLead.\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
  };
  const id = await insertProject(store, 'Own', folderOf(ofMail), { origin: 'blank' });
  await setRule(localActor, id, { ...rule('block'), demand: { ...guarded, tools: ['*'], writes: true } });
  const listed = async (readOnly: boolean | undefined, probedAt: number) => {
    const listing = { tools: [{ name: 'send', inputSchema: {}, readOnly }], resources: [], prompts: [], probedAt };
    const prints = { tools: { send: 'a' }, resources: {}, prompts: {} };
    await learnServers(localActor, id, [{ news: 'listed', server: 'mail', listing, prints }]);
    return (await checkRelease(localActor, id, 'live', { draft: 'main' })).checks.find(
      (check) => check.id === 'policy',
    );
  };
  const broken = "a call of 'mail__send' does not go through the hook guard.ts:guard.";
  expect(await listed(undefined, 1)).toMatchObject({
    ok: false,
    sentence: expect.stringContaining(`${broken} Nobody knows whether it only reads: test the server 'mail'.`),
  });
  expect(await listed(false, 2)).toMatchObject({ ok: false, sentence: expect.stringContaining(broken) });
  await expect(publish(id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await listed(true, 3)).toMatchObject({ ok: true });
  await publish(id);
});

test('a rule that only warns is reported, and stops nothing', async () => {
  const id = await project();
  await setRule(localActor, id, rule('warn'));
  const { checks } = await checkRelease(localActor, id, 'live', { draft: 'main' });
  expect(checks.find((check) => check.id === 'policy')).toMatchObject({
    ok: true,
    sentence: expect.stringContaining('A rule warns.'),
  });
  await publish(id);
});

test('editors of a project read its rules and do not change them', async () => {
  const id = await project();
  await setRule(person(id, 'admin'), id, rule('block'));
  const editor = person(id, 'reviewer');
  expect(await readPolicyOf(editor, id)).toMatchObject({ mayChange: false, rules: [{ name: 'Guarded' }] });
  await expect(setRule(editor, id, rule('warn'))).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(dropRule(editor, id, 'Guarded')).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(setRule(person(id, 'admin'), null, rule('warn'))).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(readPolicyOf(person(await project(), 'admin'), id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(dropRule(localActor, id, 'None')).rejects.toMatchObject({ code: 'not_found' });
});
