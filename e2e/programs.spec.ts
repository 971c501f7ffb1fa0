import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createProject, readFiles, startRun, waitForEnd } from './api';
import { expect, test } from './test';
import { testAppOf } from './test-apps';
import { signedIn } from './test-token';

/** A coding agent over `callboard mcp`, and a script over the command line, with an app that runs. No page is opened. */

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nLead.\n',
};
const run = promisify(execFile);
const envOf = (index: number) => {
  const { data, port } = testAppOf(index);
  return { ...process.env, CALLBOARD_DATA: data, CALLBOARD_APP: '', PORT: String(port) };
};

async function connect(index: number): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const env = Object.fromEntries(Object.entries(envOf(index)).map(([name, value]) => [name, String(value ?? '')]));
  const args = ['bin/callboard.mjs', 'mcp'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env }) as Parameters<typeof client.connect>[0],
  );
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  if (isError === true) throw new Error(first?.text);
  return first?.text ?? '';
}

test('a coding agent reads runs and proposes a draft with a review, and cannot publish', async ({ baseURL }, info) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Programs', files);
  const runId = await startRun(url, project, 'What is new?');
  await waitForEnd(url, runId);
  const client = await connect(info.parallelIndex);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => /publish|promote|roll|release/.test(name))).toEqual([]);
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual([
    'propose_draft',
  ]);

  expect(await call(client, 'list_projects', {})).toContain(project);
  expect(await call(client, 'query_runs', { project, filter: { status: 'completed' } })).toContain(runId);
  expect(JSON.parse(await call(client, 'read_run', { run: runId }))).toMatchObject({ answer: 'What is new?' });
  const { steps, next } = JSON.parse(await call(client, 'read_run_steps', { run: runId }));
  expect([next, steps.map(({ kind }: { kind: string }) => kind)]).toEqual([
    null,
    expect.arrayContaining(['instance.started', 'run.finished']),
  ]);
  expect(await call(client, 'read_run_event', { run: runId, seq: steps[0].seq })).toContain(steps[0].kind);
  expect(await call(client, 'search_run', { run: runId, text: 'new' })).toContain('seqs');
  expect(await call(client, 'read_scores', { run: runId })).toContain('scores');
  expect(await call(client, 'list_pending', { project })).toContain('"items":[]');
  const read = JSON.parse(await call(client, 'read_files', { project, paths: ['agent-cards/lead.md', 'none.md'] }));
  expect(read.texts).toEqual({ 'agent-cards/lead.md': files['agent-cards/lead.md'], 'none.md': null });

  const card = files['agent-cards/lead.md']
    .replace('Lead.', 'Lead well.')
    .replace('default: true', 'default: true\nshell: true');
  const proposed = JSON.parse(
    await call(client, 'propose_draft', {
      ...{ project, draft: 'by-program', files: { 'agent-cards/lead.md': card } },
      review: { title: 'Lead well', body: 'Because.' },
    }),
  );
  expect(proposed).toMatchObject({ draft: 'by-program', isNew: true, review: { number: 1 } });
  expect(await readFiles(url, project)).toEqual(files);
  const again = { project, draft: 'by-program', files: { 'agent-cards/lead.md': `${card}Soon.\n` } };
  await expect(call(client, 'propose_draft', again)).rejects.toThrow(`The draft 'by-program' is at version 2`);
  const second = await call(client, 'propose_draft', { ...again, version: 2, review: { title: 'Soon' } });
  expect(JSON.parse(second)).toMatchObject({ version: 3, review: { number: 1, version: 2, isNew: true } });
  expect(JSON.parse(await call(client, 'read_review', { project, review: 1 }))).toMatchObject({
    ...{ status: 'open', title: 'Lead well', version: 2, verdicts: [], comments: [] },
  });
  const compared = await call(client, 'compare_versions', {
    project,
    before: { draft: 'main' },
    after: { draft: 'by-program' },
  });
  expect(compared).toContain('It can do more:');
  expect(compared).toContain('shell');
  expect(await call(client, 'check_version', { project, draft: 'by-program' })).toContain('checks');
  await expect(call(client, 'propose_draft', { project, draft: 'main', files: {} })).rejects.toThrow(
    'main belongs to people',
  );
  await expect(call(client, 'read_run', { run: 'none' })).rejects.toThrow();
  expect(await call(client, 'list_revisions', { project })).toContain('by-program');
  await client.close();
});

/** Runs the command line with the app of a test worker. */
async function commandLine(index: number, ...args: readonly string[]) {
  return await run(process.execPath, ['bin/callboard.mjs', ...args], { env: envOf(index) }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

async function sendJson(url: string, method: string, body: unknown): Promise<Response> {
  const headers = { ...signedIn, 'content-type': 'application/json' };
  return await fetch(url, { method, headers, body: JSON.stringify(body) });
}

test('while a project asks for a review, neither command line nor API publishes, and both say what is missing @full', async ({
  baseURL,
}, info) => {
  const project = await createProject(baseURL ?? '', 'Reviewed', files);
  const address = `${baseURL}/api/v1/projects/${project}`;
  const callboard = async (...args: readonly string[]) => await commandLine(info.parallelIndex, ...args);
  const policy = { approvals: 1, authorMayApprove: true, owners: [] };
  expect((await sendJson(`${address}/review-policy`, 'PUT', policy)).status).toBe(204);

  const refused = await callboard('publish', project, '--note', 'First');
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Nothing was published.') });
  expect(refused.stderr).toContain('Ask for it in a review.');
  const overApi = await sendJson(`${address}/releases`, 'POST', { draft: 'main' });
  expect([overApi.status, await overApi.text()]).toEqual([409, expect.stringContaining('Nothing was published.')]);
  expect((await callboard('publish', project, '--override', ' ')).code).toBe(2);
  expect((await callboard('revisions', project)).stdout).not.toContain('live');
  // A label for trying is no way around it.
  expect((await callboard('publish', project, '--label', 'staging')).stdout).toBe('Revision 1 is staging.\n');
  expect(await callboard('publish', project, '--revision', '1')).toMatchObject({ code: 2, stdout: '' });

  const opened = await sendJson(`${address}/reviews`, 'POST', { title: 'First', body: '', draft: 'main' });
  expect(opened.status).toBe(201);
  expect((await callboard('publish', project)).code).toBe(2);
  const approval = { verdict: 'approve', revision: 1, note: '' };
  expect((await sendJson(`${address}/reviews/1/verdicts`, 'POST', approval)).ok).toBe(true);
  expect(await callboard('publish', project)).toMatchObject({ code: 0, stdout: 'Revision 1 is live.\n' });
});

test('a script lists, publishes and rolls back on the command line', async ({ baseURL }, info) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Scripted', files);
  const callboard = async (...args: readonly string[]) => await commandLine(info.parallelIndex, ...args);
  expect(await callboard('revisions', project)).toMatchObject({
    code: 0,
    stderr: 'The project has no revision yet.\n',
  });
  expect(await callboard('publish', project, '--note', 'First')).toMatchObject({
    code: 0,
    stdout: 'Revision 1 is live.\n',
  });
  expect((await callboard('publish', project)).stdout).toBe('Revision 1 was already live.\n');
  const changes = [{ path: 'agent-cards/lead.md', text: files['agent-cards/lead.md'].replace('Lead.', 'Second.') }];
  const answer = await sendJson(`${url}/api/v1/projects/${project}/files`, 'PATCH', { baseVersion: 1, changes });
  expect(answer.status).toBe(200);
  expect((await callboard('publish', project, '--label', 'staging')).stdout).toBe('Revision 2 is staging.\n');
  expect((await callboard('publish', project, '--revision', '2')).stdout).toBe('Revision 2 is live.\n');
  expect((await callboard('revisions', project)).stdout).toMatch(/^2 \(live, staging\) .*\n1 .*First\n$/);
  expect((await callboard('rollback', project)).stdout).toBe('Revision 1 is live again, in place of 2.\n');
  expect(await callboard('rollback', project)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no earlier revision'),
  });
  expect(await callboard('publish', project, '--revision', 'x')).toMatchObject({ code: 2 });
  expect(await callboard('publish', 'nowhere')).toMatchObject({ code: 2, stderr: expect.stringContaining('project') });
  expect(await callboard('publish')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Usage: callboard publish'),
  });

  // The MCP server of the project has no stream without a call, and no session to end.
  for (const method of ['GET', 'DELETE']) {
    const refused = await fetch(`${url}/api/v1/projects/${project}/mcp`, { method, headers: signedIn });
    expect(refused.status).toBe(405);
  }
});
