import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GET as listPending } from '@/app/api/v1/pending/route';
import { GET as listDrafts } from '@/app/api/v1/projects/[project]/drafts/route';
import { GET as readFiles, PATCH as saveFiles } from '@/app/api/v1/projects/[project]/files/route';
import { GET as check } from '@/app/api/v1/projects/[project]/releases/check/route';
import { POST as publish } from '@/app/api/v1/projects/[project]/releases/route';
import { GET as listRevisions } from '@/app/api/v1/projects/[project]/revisions/route';
import { POST as rollBack } from '@/app/api/v1/projects/[project]/rollback/route';
import { GET as listProjects } from '@/app/api/v1/projects/route';
import { GET as readEvents } from '@/app/api/v1/runs/[run]/events/route';
import { GET as readRun } from '@/app/api/v1/runs/[run]/route';
import { GET as listScores } from '@/app/api/v1/runs/[run]/scores/route';
import { GET as search } from '@/app/api/v1/runs/[run]/search/route';
import { GET as listRuns } from '@/app/api/v1/runs/route';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openAppClient } from '@/lib/cli/app-client';
import { keepLogin } from '@/lib/cli/logins-file';
import { appServer } from '@/lib/cli/mcp';
import { giveVerdict, openReview, setReviewPolicy } from '@/lib/server/reviews';
import { insertProject } from '@/lib/store/projects';
import { callCallboard } from '@/lib/testing/callboard';
import { localActor } from '@/lib/testing/local-actor';
import { testDatabase } from '@/lib/testing/postgres';
import { type FullProject, fullProject } from '@/lib/testing/rights/full-project';
import { routeServer } from '@/lib/testing/route-server';

/* What programs do with the app: a script on the command line, and a coding agent over `callboard mcp`. They ask the routes over HTTP. */

const { url, store } = await testDatabase();
const P = '/api/v1/projects/[project]';
const R = '/api/v1/runs/[run]';
const address = routeServer({
  'GET /api/v1/projects': listProjects,
  'GET /api/v1/pending': listPending,
  'GET /api/v1/runs': listRuns,
  [`GET ${P}/drafts`]: listDrafts,
  [`GET ${P}/files`]: readFiles,
  [`PATCH ${P}/files`]: saveFiles,
  [`POST ${P}/releases`]: publish,
  [`GET ${P}/releases/check`]: check,
  [`GET ${P}/revisions`]: listRevisions,
  [`POST ${P}/rollback`]: rollBack,
  [`GET ${R}`]: readRun,
  [`GET ${R}/events`]: readEvents,
  [`GET ${R}/scores`]: listScores,
  [`GET ${R}/search`]: search,
});

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-commands-'));
beforeAll(() => {
  vi.stubEnv('DATABASE_URL', url);
  keepLogin({ XDG_CONFIG_HOME: folder }, address(), { token: 'not asked for' });
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const file = 'agent-cards/lead.md';
const card = (text: string) => `---\nname: lead\ndefault: true\nmodel: passthrough\n---\n${text}\n`;
const newProject = () => insertProject(store, 'Scripted', folderOf({ [file]: card('Lead.') }), { origin: 'api' });

const callboard = (...args: readonly string[]) =>
  callCallboard(args, { XDG_CONFIG_HOME: folder, CALLBOARD_DATA: folder, CALLBOARD_APP: address() });

async function send(project: ProjectId, method: string, at: string, body: unknown): Promise<Response> {
  return await fetch(`${address()}/api/v1/projects/${project}/${at}`, { method, body: JSON.stringify(body) });
}

describe('a script on the command line', () => {
  test('lists, publishes and rolls back', async () => {
    const project = await newProject();
    expect(await callboard('revisions', project)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The project has no revision yet.\n',
    });
    expect(await callboard('publish', project, '--note', 'First')).toMatchObject({
      code: 0,
      stdout: 'Revision 1 is live.\n',
    });
    expect((await callboard('publish', project)).stdout).toBe('Revision 1 was already live.\n');
    const changes = [{ path: file, text: card('Second.') }];
    expect((await send(project, 'PATCH', 'files', { baseVersion: 1, changes })).status).toBe(200);
    expect((await callboard('publish', project, '--label', 'staging')).stdout).toBe('Revision 2 is staging.\n');
    expect((await callboard('publish', project, '--revision', '2')).stdout).toBe('Revision 2 is live.\n');
    expect((await callboard('revisions', project)).stdout).toMatch(/^2 \(live, staging\) .*\n1 .*First\n$/);
    expect((await callboard('rollback', project)).stdout).toBe('Revision 1 is live again, in place of 2.\n');
  });

  test.each([
    [['rollback'], 'no earlier revision'],
    [['publish', '--revision', 'x'], "'x' is no number of a revision"],
  ])('%j is refused with a sentence', async ([command = '', ...more], sentence) => {
    const project = await newProject();
    expect((await callboard('publish', project)).code).toBe(0);
    expect(await callboard(command, project, ...more)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
  });

  test('names no project, or one that is not there', async () => {
    expect(await callboard('publish', 'nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('project'),
    });
    expect(await callboard('publish')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage: callboard publish'),
    });
  });

  test('publishes nothing while a review is missing, and neither does the API; both say what is missing', async () => {
    const project = await newProject();
    await setReviewPolicy(localActor, project, { approvals: 1, authorMayApprove: true, owners: [] });
    const refused = await callboard('publish', project, '--note', 'First');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Nothing was published.') });
    expect(refused.stderr).toContain('Ask for it in a review.');
    const overApi = await send(project, 'POST', 'releases', { draft: 'main' });
    expect([overApi.status, await overApi.text()]).toEqual([409, expect.stringContaining('Nothing was published.')]);
    expect((await callboard('publish', project, '--override', ' ')).code).toBe(2);
    expect((await callboard('revisions', project)).stdout).not.toContain('live');
    // A label for trying is no way past it.
    expect((await callboard('publish', project, '--label', 'staging')).stdout).toBe('Revision 1 is staging.\n');
    expect(await callboard('publish', project, '--revision', '1')).toMatchObject({ code: 2, stdout: '' });

    await openReview(localActor, project, { title: 'First', body: '', draft: 'main' });
    expect((await callboard('publish', project)).code).toBe(2);
    await giveVerdict(localActor, project, 1, { verdict: 'approve', revision: 1, note: '' });
    expect(await callboard('publish', project)).toMatchObject({ code: 0, stdout: 'Revision 1 is live.\n' });
  });
});

describe('a coding agent', () => {
  const agent = new Client({ name: 'test', version: '1' });
  let full: FullProject;
  beforeAll(async () => {
    full = await fullProject(store);
    const [here, there] = InMemoryTransport.createLinkedPair();
    await appServer(() => openAppClient(address(), undefined)).connect(there);
    await agent.connect(here);
  });
  afterAll(() => agent.close());

  async function call(name: string, input: Record<string, unknown>): Promise<string> {
    const { content, isError } = await agent.callTool({ name, arguments: input });
    const [first] = content as { text: string }[];
    if (isError === true) throw new Error(first?.text);
    return first?.text ?? '';
  }

  test('has no tool that publishes, and one that changes something', async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name).filter((name) => /publish|promote|roll|release/.test(name))).toEqual([]);
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(['propose_draft']);
  });

  test('reads runs, step by step', async () => {
    const { run, project } = full;
    expect(await call('list_projects', {})).toContain(project);
    expect(await call('query_runs', { project, filter: { status: 'suspended' } })).toContain(full.asking);
    expect(JSON.parse(await call('read_run', { run }))).toMatchObject({ projectId: project });
    const { steps, next } = JSON.parse(await call('read_run_steps', { run }));
    expect([next, steps.map(({ kind }: { kind: string }) => kind)]).toEqual([
      null,
      expect.arrayContaining(['instance.started', 'run.finished']),
    ]);
    expect(await call('read_run_event', { run, seq: steps[0].seq })).toContain(steps[0].kind);
    expect(JSON.parse(await call('search_run', { run, text: full.mark }))).toMatchObject({ seqs: [1] });
    expect(await call('read_scores', { run })).toContain(full.mark);
    expect(await call('list_pending', { project })).toContain(full.item);
    await expect(call('read_run', { run: 'none' })).rejects.toThrow('There is no such run');
  });

  test('reads and compares versions of a project, and may not propose one for the draft of people', async () => {
    const { project, draft } = full;
    const read = JSON.parse(await call('read_files', { project, paths: [file, 'none.md'] }));
    expect(read.texts).toEqual({ [file]: expect.stringContaining('name: lead'), 'none.md': null });
    const changes = [{ path: file, text: card('Lead.').replace('default: true', 'default: true\nshell: true') }];
    expect((await send(project, 'PATCH', 'files', { draft, baseVersion: 1, changes })).status).toBe(200);
    const versions = { before: { draft: 'main' }, after: { draft } };
    expect(await call('compare_versions', { project, ...versions })).toMatch(/It can do more:[\s\S]*shell/);
    expect(await call('check_version', { project, draft })).toContain('checks');
    expect(await call('list_revisions', { project })).toContain(full.mark);
    await expect(call('propose_draft', { project, draft: 'main', files: {} })).rejects.toThrow(
      'main belongs to people',
    );
    const refused = call('propose_draft', { project, draft: 'leftover', files: { '../outside.md': 'x' } });
    await expect(refused).rejects.toThrow();
    const { drafts } = await (await send(project, 'GET', 'drafts', undefined)).json();
    expect(JSON.stringify(drafts)).not.toContain('leftover');
  });
});
