import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { Membership } from '@/lib/base/rights';
import type { ToolRequest } from '@/lib/base/task';
import { folderOf } from '@/lib/cards/files';
import { findAudit } from '@/lib/store/audit';
import { insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { startTask } from './tasks';

const { url, store } = await testDatabase();
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('CALLBOARD_ACCOUNTS', '1');
  vi.stubEnv('CALLBOARD_OPEN', '');
});
afterAll(() => vi.unstubAllEnvs());

const files = {
  'lead.md': '---\nname: lead\nfunction_tools: [tools.ts:add]\n---\nLead.\n',
  'tools.ts': 'export function add(a: number) {\n  return a;\n}\n',
};
const newProject = () => insertProject(store, 'Own', folderOf(files), { origin: 'api' });
const call: ToolRequest = { kind: 'tool', agent: 'lead', tool: 'add', arguments: { a: 1 } };

function member(project: ProjectId, membership: Membership): Actor {
  const reach = { kind: 'person', userId: 'eve', name: 'Eve', isAdministrator: false } as const;
  return { by: 'eve@try.example', via: 'web', reach: { ...reach, members: new Map([[project, membership]]) } };
}

test.each([
  ['viewer', true],
  ['runner', true],
] as const)('a %s tries no tool, because a try goes past the hooks', async (role, answers) => {
  const project = await newProject();
  const actor = member(project, { role, answers });
  for (const request of [call, { ...call, approve: true as const }, { ...call, arguments: undefined }]) {
    await expect(startTask(actor, project, { request, changes: [] })).rejects.toMatchObject({ code: 'not_allowed' });
  }
  expect(await findAudit(store, { actions: ['tool.tried'], project, limit: 1 }, undefined)).toEqual([]);
});

test('an editor tries tools, and approves a call only with the right to answer', async () => {
  const project = await newProject();
  const editor = member(project, { role: 'editor', answers: false });
  await startTask(editor, project, { request: call, changes: [] });
  const approved = { ...call, approve: true } as const;
  await expect(startTask(editor, project, { request: approved, changes: [] })).rejects.toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('You may not answer what runs of this project ask'),
  });
  await startTask(member(project, { role: 'editor', answers: true }), project, { request: approved, changes: [] });
  const entries = await findAudit(store, { actions: ['tool.tried'], project, limit: 10 }, undefined);
  expect(entries.map(({ object, body }) => [object, JSON.parse(body)])).toEqual([
    ['add', { agent: 'lead', approved: true }],
    ['add', { agent: 'lead' }],
  ]);
});

test('to look a tool up is no call, so it is not in the audit log', async () => {
  const project = await newProject();
  const editor = member(project, { role: 'editor', answers: false });
  await startTask(editor, project, { request: { ...call, arguments: undefined }, changes: [] });
  expect(await findAudit(store, { actions: ['tool.tried'], project, limit: 1 }, undefined)).toEqual([]);
});
