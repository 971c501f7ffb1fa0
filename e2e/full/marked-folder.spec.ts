import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { settingsPages } from '@/lib/client/settings-pages';
import { type GitClient, gitClient } from '../../lib/testing/git-client';
import { createProject, startRun } from '../api';
import { expect, test } from '../test';
import { signedIn, testToken } from '../test-token';

/** A folder whose every part leaves a mark when it runs. What people do with its files runs none of them. */

const json = { ...signedIn, 'content-type': 'application/json' };

let marks: string;
let git: GitClient;

test.beforeEach(() => {
  marks = mkdtempSync(path.join(tmpdir(), 'callboard-marks-'));
  git = gitClient();
});

test.afterEach(() => {
  rmSync(marks, { recursive: true });
  git.remove();
});

/** A folder whose every part leaves a mark when it runs: when it is imported, loaded, started or asked. */
function markedFolder() {
  const js = (name: string) =>
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(path.join(marks, name))}, 'ran');\n`;
  const py = (name: string) => `open(${JSON.stringify(path.join(marks, name))}, 'w').write('ran')\n`;
  return {
    'agent-cards/lead.md': `---
name: lead
model: passthrough
default: true
agents: [kid]
servers: [marking]
shell: true
function_tools: [../tool.py:tool, ../tool.ts:tool]
tool_hooks: [../hook.py:hook]
lifecycle_hooks: { on_start: ../start.py:start }
---
Lead. {{file:tool.py}} {{serverInstructions}}
`,
    'agent-cards/kid.md':
      '---\nname: kid\nmodel: passthrough\ntool_hooks: { before_llm_call: ../hook.ts:hook }\n---\nKid.\n',
    'fast-agent.yaml': `mcp:\n  servers:\n    marking: { command: node, args: [server.mjs] }\n    inline: { command: sh, args: [-c, "touch ${marks}/inline"] }\n`,
    'callboard.yaml': 'version: 1\nentry: lead\nrun_hooks:\n  - run.py:run\n',
    'server.mjs': js('server'),
    'tool.ts': `${js('tool.ts')}export function tool() { return 'x'; }\n`,
    'hook.ts': `${js('hook.ts')}export async function hook() {}\n`,
    'tool.py': `${py('tool.py')}def tool():\n    return 'x'\n`,
    'hook.py': `${py('hook.py')}async def hook(ctx, args, call_next):\n    return await call_next(args)\n`,
    'start.py': `${py('start.py')}async def start(ctx):\n    pass\n`,
    'run.py': `${py('run.py')}async def run(ctx, args, call_next):\n    return await call_next(args)\n`,
    'conftest.py': py('conftest'),
    'sitecustomize.py': py('sitecustomize'),
    'package.json': `{"scripts":{"preinstall":"touch ${marks}/preinstall","postinstall":"touch ${marks}/postinstall"}}`,
  };
}

/** Sends requests, each of which has to succeed. */
function requestsTo(url: string) {
  const answer = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${address}`, { headers: json, ...init });
    expect([address, response.ok]).toEqual([address, true]);
    return response;
  };
  const post = async (address: string, body: unknown, method = 'POST') =>
    await answer(address, { method, body: JSON.stringify(body) });
  return { answer, post };
}

test('a folder is imported, opened, saved, checked, copied and exported, and none of its code runs', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const files = markedFolder();
  const { answer, post } = requestsTo(url);
  const id = await createProject(url, 'Marked', files);
  const zip = zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])),
  );
  await answer('/api/v1/projects?name=Zipped', {
    method: 'POST',
    body: Buffer.from(zip),
    headers: { ...signedIn, 'content-type': 'application/zip' },
  });
  const checked = await (await post('/api/v1/check', { files })).json();
  expect(checked.cards).toBeTruthy();
  const at = `/api/v1/projects/${id}`;
  await post(`${at}/files`, { baseVersion: 1, changes: [{ path: 'tool.py', text: `${files['tool.py']}\n` }] }, 'PATCH');
  for (const query of [
    '',
    '?format=zip',
    '?for=fast-agent&format=zip',
    '?for=fast-agent&format=report',
    '?binary=hash',
  ]) {
    await answer(`${at}/files${query}`);
  }
  await post(`${at}/copy`, {});
  for (const below of [
    '/trust',
    '/servers',
    '/sessions',
    '/pins',
    '/conversations',
    '/a2a/.well-known/agent-card.json',
  ]) {
    await answer(`${at}${below}`);
  }
  // The page of people is there with accounts alone.
  const settings = settingsPages.filter(({ id: page }) => page !== 'people').map(({ href }) => href);
  for (const address of ['/', `/p/${id}`, `/p/${id}/chat`, `/p/${id}/runs`, '/runs', ...settings, '/inbox']) {
    await page.goto(address);
    await expect(page.locator('main').first()).toBeVisible();
  }
  expect(readdirSync(marks)).toEqual([]);
});

test('revisions of a folder are compared, reviewed, published, pushed and rolled back, and none of its code runs', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const files = markedFolder();
  const { answer, post } = requestsTo(url);
  const id = await createProject(url, 'Marked', files);
  const at = `/api/v1/projects/${id}`;
  await post(`${at}/revisions`, { message: 'First' });
  await post(`${at}/releases`, { revision: 1, override: 'The marks matter.' });
  const changed = ['server.mjs', 'tool.ts', 'hook.ts', 'tool.py', 'hook.py', 'start.py', 'run.py'] as const;
  const changes = changed.map((name) => ({ path: name, text: `${files[name]}\n` }));
  await post(`${at}/files`, { baseVersion: 1, changes }, 'PATCH');
  await post(`${at}/reviews`, { title: 'Other marks' });
  for (const below of ['/revisions', '/revisions/1', '/revisions/2', '/releases', '/releases/check', '/reviews/1']) {
    await answer(`${at}${below}`);
  }
  for (const [kind, name] of [
    ['hook', 'hook.py:hook'],
    ['hook', 'hook.ts:hook'],
    ['tool', 'tool.py:tool'],
    ['tool', 'tool.ts:tool'],
    ['server', 'marking'],
    ['agent', 'kid'],
  ]) {
    const { uses } = await (await answer(`${at}/uses?kind=${kind}&name=${name}`)).json();
    expect([kind, name, uses.length > 0]).toEqual([kind, name, true]);
  }
  await page.goto(`/p/${id}/reviews/1`);
  await expect(page.getByRole('heading', { name: 'Other marks' })).toBeVisible();
  await expect(page.getByText('hook.py').first()).toBeVisible();
  await post(`${at}/reviews/1/publish`, { revision: 2, override: 'The marks matter.' });
  await page.goto(`/p/${id}/revisions`);
  await page.getByRole('button', { name: 'Compare revision 2' }).click();
  const compared = page.getByRole('region', { name: 'Changes between revisions' });
  for (const name of changed) await expect(compared.getByText(name).first()).toBeVisible();

  const { host } = new URL(url);
  await git.ok(['clone', '-q', `http://any:${testToken}@${host}/git/${id}.git`, 'own']);
  const inside = { in: 'own' };
  for (const name of ['hook.py', 'fast-agent.yaml']) {
    const file = path.join(git.folder, 'own', name);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n# Pushed.\n`);
  }
  await git.ok(['commit', '-qam', 'Pushed'], inside);
  const pushed = await git.run(['push', 'origin', 'HEAD:draft/pushed', '-o', 'review'], inside);
  expect(pushed.said).toContain("Draft 'pushed' is revision 3. Review 2 is open.");
  await page.goto(`/p/${id}/reviews/2`);
  await expect(page.getByRole('heading', { name: 'Pushed' })).toBeVisible();
  await expect(page.getByText('hook.py').first()).toBeVisible();
  await answer(`${at}/bundle`);
  await post(`${at}/rollback`, {});
  await post(`${at}/revisions/2/restore`, {});
  expect(readdirSync(marks)).toEqual([]);

  // In contrast, a run of a part of it leaves a mark.
  const lead = '---\nname: lead\nmodel: passthrough\nservers: [marking]\n---\nLead.\n';
  const { 'fast-agent.yaml': config, 'server.mjs': server } = files;
  const part = await createProject(url, 'Part', { 'lead.md': lead, 'fast-agent.yaml': config, 'server.mjs': server });
  await startRun(url, part, 'Go');
  await expect.poll(() => readdirSync(marks), { timeout: 60_000 }).toEqual(['server']);
});
