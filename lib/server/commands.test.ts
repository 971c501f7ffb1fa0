import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { Role } from '@/lib/base/rights';
import { folderOf } from '@/lib/cards/files';
import { tellRecorded } from '@/lib/jobs/notify/tell';
import { insertProject, saveDraft } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { personInBrowser } from '@/lib/testing/token-people';
import { approveCommands, askForCommands, decideCommand, listCommands, readCommandFile } from './commands';
import { createDraft } from './drafts';
import { readNotices } from './person-notices';
import { checkRelease, release, saveRevision } from './revisions';
import type { FilesTarget } from './run-target';
import { startRun } from './runs';
import { startTask } from './tasks';
import { readTrust } from './trust';

const { url, store } = await testDatabase();

beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
  vi.stubEnv('CALLBOARD_OPEN', '');
});
afterAll(() => vi.unstubAllEnvs());

function person(name: string, project: ProjectId | undefined, role: Role, isAdministrator = false): Actor {
  const members = new Map(project === undefined ? [] : [[project, { role, answers: true }] as const]);
  return {
    by: `${name}@example.org`,
    via: 'web',
    reach: { kind: 'person', userId: name, name, isAdministrator, members },
  };
}
const root = person('root', undefined, 'viewer', true);

const files = (argument: string, text = 'one;\n') => ({
  'lead.md': '---\nname: lead\nmodel: passthrough\nservers: [time]\n---\nLead.\n',
  'fast-agent.yaml': `mcp:\n  servers:\n    time: { command: node, args: [time.mjs, ${argument}], env: { TOKEN: hush } }\n`,
  'time.mjs': text,
});
const project = async (...given: Parameters<typeof files>) =>
  await insertProject(store, 'Own', folderOf(files(...given)), { origin: 'blank' });

it('a run is refused, somebody asks, an administrator approves, and it starts', async () => {
  const own = await project('a');
  const [ana, vic] = [person('ana', own, 'runner'), person('vic', own, 'viewer')];
  const start = async () => await startRun(ana, own, { message: 'Go' });
  await expect(start()).rejects.toMatchObject({ code: 'not_approved' });
  const probe = startTask(ana, own, { request: { kind: 'probe', server: 'time' }, changes: [] });
  await expect(probe).rejects.toMatchObject({ code: 'not_approved' });
  expect(await store.prisma.run.count({ where: { projectId: own } })).toBe(0);

  await expect(askForCommands(vic, own)).rejects.toMatchObject({ code: 'not_allowed' });
  expect((await readTrust(vic, own)).commands).toMatchObject([{ status: 'new', name: 'time' }]);
  await askForCommands(ana, own);
  const trust = await readTrust(vic, own);
  expect(trust).toMatchObject({ mayApprove: false, commands: [{ status: 'asked', by: 'ana@example.org' }] });

  await expect(listCommands(ana, { limit: 10 })).rejects.toMatchObject({ code: 'not_allowed' });
  const [asked] = await listCommands(root, { limit: 10, status: 'asked' });
  expect(asked).toMatchObject({
    kind: 'stdio',
    command: 'node',
    args: ['time.mjs', 'a'],
    environment: ['TOKEN'],
    files: [{ path: 'time.mjs' }],
    uses: [{ project: own, usedBy: ["agent 'lead'"], askedBy: 'ana@example.org' }],
  });
  expect(JSON.stringify(asked)).not.toContain('hush');

  const id = asked?.id ?? '';
  expect(await readCommandFile(root, id, 'time.mjs')).toBe('one;\n');
  await expect(readCommandFile(ana, id, 'time.mjs')).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(readCommandFile(root, id, 'lead.md')).rejects.toMatchObject({ code: 'not_found' });
  const approve = { decision: 'approve', note: 'Fine.' } as const;
  await expect(decideCommand(ana, id, approve)).rejects.toMatchObject({ code: 'not_allowed' });
  expect(await decideCommand(root, id, approve)).toMatchObject({ status: 'approved', note: 'Fine.' });
  await expect(decideCommand(root, id, approve)).rejects.toMatchObject({ code: 'conflict' });
  await start();
  await decideCommand(root, id, { decision: 'revoke', note: '' });
  await expect(start()).rejects.toMatchObject({ code: 'not_approved' });
  const { rows } = await store.pool.query(`SELECT action FROM "Audit" WHERE object = $1 ORDER BY seq`, [id]);
  expect(rows.map(({ action }) => action)).toEqual(['command.asked', 'command.approved', 'command.revoked']);
});

it('a changed command asks again and says what differs; an old list is not approved', async () => {
  const own = await project('b');
  const seen = (await readTrust(root, own)).commands.map(({ id }) => id);
  await approveCommands(root, own, seen);
  await startRun(root, own, { message: 'Go' });
  await store.prisma.draft.update({
    where: { projectId_name: { projectId: own, name: 'main' } },
    data: {
      treeHash: (await store.prisma.draft.findFirstOrThrow({ where: { projectId: await project('c', 'two;\n') } }))
        .treeHash,
    },
  });
  await expect(startRun(root, own, { message: 'Go' })).rejects.toMatchObject({ code: 'not_approved' });
  await expect(approveCommands(root, own, seen)).rejects.toMatchObject({ code: 'conflict' });
  await askForCommands(root, own);
  const [asked] = await listCommands(root, { limit: 1, status: 'asked' });
  expect(asked?.changes).toEqual(['Argument 2 was "b" and is "c".', 'File time.mjs has other content.']);
});

it('a shell that is approved in one project is not approved in another', async () => {
  const shell = { 'lead.md': '---\nname: lead\nshell: true\n---\nLead.\n' };
  const [one, two] = await Promise.all(
    ['One', 'Two'].map((name) => insertProject(store, name, folderOf(shell), { origin: 'blank' })),
  );
  if (one === undefined || two === undefined) throw new Error('no projects');
  const [first, second] = [await readTrust(root, one), await readTrust(root, two)];
  expect(first.commands[0]?.id).not.toBe(second.commands[0]?.id);
  expect(first.commands[0]?.warnings).toHaveLength(1);
});

it('without accounts nothing is asked', async () => {
  vi.stubEnv('CALLBOARD_ACCOUNTS', '0');
  try {
    const own = await project('d');
    const local: Actor = { by: 'local', via: 'web', reach: 'all' };
    await startRun(local, own, { message: 'Go' });
    expect((await readTrust(local, own)).commands).toEqual([]);
  } finally {
    vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
  }
});

/** Makes a project whose draft `next` starts another server than `main`. */
async function withDraft(argument: string): Promise<ProjectId> {
  const own = await project(`main-${argument}`);
  await createDraft(root, own, 'next', { draft: 'main' });
  const changes = Object.entries(files(`next-${argument}`)).map(([path, text]) => ({
    path,
    file: { kind: 'text', text } as const,
  }));
  const limits = { files: 100, totalBytes: 1_000_000 };
  await saveDraft(store, own, { draft: 'next', baseVersion: 1, changes, limits });
  return own;
}

it('what any draft, revision, label or run starts is asked for and approved', async () => {
  const own = await withDraft('targets');
  const ana = person('ana', own, 'runner');
  const idsOf = async (target: FilesTarget) => (await readTrust(root, own, target)).commands.map(({ id }) => id);
  const { revision } = await saveRevision(root, own, { draft: 'next', message: '' });
  await askForCommands(ana, own, { draft: 'next' });
  const [asked] = await listCommands(root, { limit: 1, status: 'asked' });
  expect(asked).toMatchObject({ args: ['time.mjs', 'next-targets'], uses: [{ askedBy: 'ana@example.org' }] });
  const ids = await idsOf({ revision: revision.number });
  expect(ids).toEqual([asked?.id]);
  await expect(approveCommands(root, own, ids)).rejects.toMatchObject({ code: 'conflict' });
  await approveCommands(root, own, ids, { revision: revision.number });
  await startRun(ana, own, { message: 'Go', target: { draft: 'next' } });
  // Those of main are still not approved.
  const refused = await startRun(ana, own, { message: 'Go', target: { draft: 'main' } }).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ code: 'not_approved', details: { files: expect.any(String) } });
  const { files: refusedFiles } = refused instanceof AppError ? refused.details : {};
  await approveCommands(root, own, await idsOf({ files: refusedFiles }), { files: refusedFiles });
  await startRun(ana, own, { message: 'Go', target: { draft: 'main' } });
});

it('files of another project, and files named twice, are refused', async () => {
  const [one, other] = [await project('one'), await project('other')];
  const { treeHash } = await store.prisma.draft.findFirstOrThrow({ where: { projectId: other } });
  await expect(readTrust(root, one, { files: treeHash })).rejects.toMatchObject({ code: 'not_found' });
  await expect(readTrust(root, one, { files: treeHash, draft: 'main' })).rejects.toMatchObject({ code: 'bad_request' });
});

it('another draft goes live only once an administrator has approved what it starts', async () => {
  const own = await withDraft('live');
  const rae = person('rae', own, 'reviewer');
  const publish = async () => await release(rae, own, { label: 'live', target: { draft: 'next' }, note: '' });
  await expect(publish()).rejects.toMatchObject({ code: 'conflict', details: { checks: 'commands' } });
  const { checks: found } = await checkRelease(rae, own, 'live', { draft: 'next' });
  const missing = found.find(({ id }) => id === 'commands');
  expect(missing).toMatchObject({ ok: false, overridable: false, files: expect.any(String) });
  expect(missing?.sentence).toContain("No administrator has approved the command of server 'time'");
  const target = { files: missing?.files };
  await askForCommands(rae, own, target);
  const { commands } = await readTrust(root, own, target);
  await approveCommands(
    root,
    own,
    commands.map(({ id }) => id),
    target,
  );
  await publish();
  await startRun(rae, own, { message: 'Go' });
});

it('administrators hear of what is asked for, and who asked hears of the decision', async () => {
  const own = await project('told');
  const ana = await personInBrowser(store, 'ana@x.org', { in: { [own]: 'runner' } });
  await tellRecorded(store);
  const admin = await personInBrowser(store, 'root@x.org', { administrator: true });
  const wordsOf = async (actor: Actor) =>
    (await readNotices(actor, { after: undefined, limit: 10 })).notices.map(({ words }) => words);
  await askForCommands(ana, own);
  await tellRecorded(store);
  expect(await wordsOf(admin)).toEqual(["ana asks for the approval of the command of server 'time' in Own"]);
  const [asked] = await listCommands(admin, { limit: 1, status: 'asked' });
  await decideCommand(admin, asked?.id ?? '', { decision: 'deny', note: 'No.' });
  await tellRecorded(store);
  expect(await wordsOf(ana)).toEqual(["root denied the command of server 'time' in Own"]);
});

it('what a request asks for or approves is told of in one notice', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const servers = names.map((name) => `    ${name}: { command: node, args: [${name}] }\n`).join('');
  const folder = folderOf({
    'lead.md': `---\nname: lead\nmodel: passthrough\nservers: [${names.join(', ')}]\n---\nLead.\n`,
    'fast-agent.yaml': `mcp:\n  servers:\n${servers}`,
  });
  const own = await insertProject(store, 'Many', folder, { origin: 'blank' });
  const bo = await personInBrowser(store, 'bo@x.org', { in: { [own]: 'runner' } });
  const admin = await personInBrowser(store, 'boss@x.org', { administrator: true });
  await tellRecorded(store);
  const wordsOf = async (actor: Actor) =>
    (await readNotices(actor, { after: undefined, limit: 20 })).notices.map(({ words }) => words);
  await askForCommands(bo, own);
  await tellRecorded(store);
  const many = "the command of server 'a', the command of server 'b', the command of server 'c' and 2 more in Many";
  expect(await wordsOf(admin)).toEqual([`bo asks for the approval of ${many}`]);
  const { commands } = await readTrust(admin, own);
  await approveCommands(
    admin,
    own,
    commands.map(({ id }) => id),
  );
  await tellRecorded(store);
  expect(await wordsOf(bo)).toEqual([expect.stringMatching(/^boss approved .* and 2 more in Many$/)]);
});
