import path from 'node:path';
import type { Page } from '@playwright/test';
import { readFiles, writeFiles } from './api';
import { node } from './canvas';
import { openEditor, seriousFaults, showPanel } from './pages';
import { expect, freshProject, test } from './test';

/** Servers and function tools: tested, picked from, edited as forms, with real MCP servers. */

const everything = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const ownServer = (tools: readonly string[]) => `import { createInterface } from 'node:readline';
const tools = ${JSON.stringify(tools)}.map((name) => ({ name, description: 'Tells ' + name, inputSchema: { type: 'object' } }));
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } }),
  'tools/list': () => ({ tools }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }));
}
`;
const lead =
  '---\nname: lead\ndefault: true\nservers:\n  - every\n  - own\n  - gone\nmcp_connect:\n  docs:\n    target: https://docs.example.com/mcp\nfunction_tools:\n  - ../tools.py:add_one\n---\nLead.\n';
const files = {
  'agent-cards/lead.md': lead,
  'tools.py': 'LIMIT = 3\n\n\ndef add_one(x: int) -> int:\n    """Add one to a number."""\n    return x + 1\n',
  'own.mjs': ownServer(['get_time', 'convert']),
  'fast-agent.yaml': `mcp:
  servers:
    every: # of the protocol
      command: node
      args: [${JSON.stringify(everything)}]
    own:
      command: node
      args: [own.mjs]
    gone:
      command: node
      args: [gone.mjs]
`,
};
const project = freshProject('Servers by picking', files);
const _settings = (page: Page) => page.getByRole('region', { name: 'MCP server', exact: true });
const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem');

test.beforeEach(async ({ page }) => {
  await openEditor(page, project());
  await showPanel(page, 'Canvas');
});

/** Opens a page in the browser of another person. */
async function signedIn(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('There is no browser');
  const context = await browser.newContext({ viewport: page.viewportSize() });
  await context.addCookies(await page.context().cookies());
  return await context.newPage();
}

async function save(page: Page, baseURL: string | undefined): Promise<Record<string, string>> {
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  return readFiles(baseURL ?? '', project());
}

test('a server is tested from the menu of its node, and its tools are picked on the wire', async ({
  page,
  baseURL,
}, info) => {
  await node(page, 'server:every').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Test' }).click();
  await expect(page.getByText('works', { exact: true })).toBeVisible();
  await expect(steps(page)).toContainText(['Start the command', 'Initialize', 'List what it offers']);
  await page.screenshot({ path: info.outputPath('tested.png') });
  expect(await seriousFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Pick what lead takes' }).click();
  const tools = page.getByRole('list', { name: 'The tools of every' });
  await expect(tools.getByRole('checkbox', { name: 'echo' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'All tools' }).click();
  await page.getByRole('button', { name: 'Take none of the tools' }).click();
  await expect(tools.getByRole('checkbox', { name: 'echo' })).not.toBeChecked();
  await page.getByRole('textbox', { name: 'Search the tools' }).fill('echoes');
  await expect(tools.getByRole('listitem')).toHaveCount(1);
  await tools.getByRole('checkbox', { name: 'echo' }).focus();
  await page.keyboard.press('Space');
  await expect(tools.getByRole('checkbox', { name: 'echo' })).toBeChecked();
  await tools.getByText('Arguments').click();
  await expect(tools).toContainText('"properties"');
  await page.screenshot({ path: info.outputPath('picked.png') });
  expect(await seriousFaults(page)).toEqual([]);
  const saved = await save(page, baseURL);
  expect(saved).toEqual({
    ...files,
    'agent-cards/lead.md': lead
      .replace('mcp_connect:', 'mcp_connect:')
      .replace(/(target: .*\n)/, '$1tools:\n  every: [echo]\n'),
  });

  // The form of the agent has the same list, and takes patterns.
  await node(page, 'agent:lead').click();
  const filter = page.getByRole('combobox', { name: 'Tools of every' });
  await expect(filter).toHaveText('echo');
  await filter.click();
  await expect(page.getByRole('option', { name: /^echo/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('get-*');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(filter).toHaveText('echo, get-*');
  expect((await save(page, baseURL))['agent-cards/lead.md']).toContain('every: [echo, get-*]');
});

test('a server that does not start says which step failed, and why @full', async ({ page }, info) => {
  await node(page, 'server:gone').click();
  await page.getByRole('button', { name: 'Test gone' }).click();
  await expect(page.getByText('does not work', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Error: Cannot find module .*gone\.mjs/).first()).toBeVisible();
  await expect(steps(page).filter({ hasText: ': failed' })).toHaveCount(1);
  await page.getByText(/^Log, /).click();
  await page.screenshot({ path: info.outputPath('failed.png') });
  expect(await seriousFaults(page)).toEqual([]);
});

test('tools that changed since they were picked are marked on node, wire and in Problems @full', async ({
  page,
  baseURL,
}, info) => {
  await node(page, 'server:own').click();
  await page.getByRole('button', { name: 'Test own' }).click();
  await page.getByRole('button', { name: 'Pick what lead takes' }).click();
  await page.getByRole('checkbox', { name: 'convert' }).click();
  const saved = await save(page, baseURL);
  expect(saved['agent-cards/lead.md']).toContain('tools:\n  own: [get_time]\n');

  await writeFiles(baseURL ?? '', project(), { ...saved, 'own.mjs': ownServer(['tell_time', 'convert']) });
  await openEditor(page, project());
  await expect(node(page, 'server:own').getByRole('img', { name: /^changed/ })).toHaveCount(0);
  await node(page, 'server:own').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Test' }).click();
  await expect(node(page, 'server:own').getByRole('img', { name: /^changed/ })).toBeVisible();
  const other = await signedIn(page);
  await other.goto(new URL(`/p/${project()}`, page.url()).href);
  await expect(node(other, 'server:own').getByRole('img', { name: /^changed/ })).toBeVisible();
  await other.context().close();
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(
    page.getByRole('button', { name: /tools of server 'own' changed .*gone: get_time; new: tell_time/ }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Pick what lead takes' }).click();
  const tools = page.getByRole('list', { name: 'The tools of own' });
  await expect(tools.getByRole('listitem').filter({ hasText: 'gone' })).toContainText('get_time');
  await page.screenshot({ path: info.outputPath('changed.png') });
  expect(await seriousFaults(page)).toEqual([]);
  await tools.getByRole('checkbox', { name: 'get_time' }).click();
  await tools.getByRole('checkbox', { name: 'tell_time' }).click();
  await expect(node(page, 'server:own').getByRole('img', { name: /^changed/ })).toHaveCount(0);
  expect((await save(page, baseURL))['agent-cards/lead.md']).toContain('tools:\n  own: [tell_time]\n');
});

test('a sample says that it needs Python only where Python is off @full', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New project' }).first().click();
  await expect(page.getByRole('radio', { name: /hooks/i }).first()).toBeVisible();
  await expect(page.getByText('Needs Python')).toHaveCount(0);
});

test('Settings lists the servers of a project and tests them @full', async ({ page }, info) => {
  await page.goto('/settings/servers');
  const section = page.getByRole('region', { name: 'MCP servers' });
  const servers = section.getByRole('list', { name: 'Servers of Servers by picking' });
  const entry = section.locator('details').filter({ hasText: 'Servers by picking' });
  await expect(entry).toBeVisible();
  if ((await entry.getAttribute('open')) === null) await entry.locator('summary').click();
  await servers.getByRole('button', { name: 'Test own' }).click();
  await expect(servers.getByText('works', { exact: true })).toBeVisible();
  await servers.getByRole('button', { name: 'Test gone' }).click();
  await expect(servers.getByText(/^Error: Cannot find module/).first()).toBeVisible();
  await page.screenshot({ path: info.outputPath('settings.png'), fullPage: true });
  expect(await seriousFaults(page)).toEqual([]);
});
