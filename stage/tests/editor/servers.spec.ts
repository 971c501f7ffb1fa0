import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSaveState, graph, seriousFaults } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** Servers and function tools are edited as forms. Tests of servers, with real ones, are end to end. */

const lead =
  '---\nname: lead\ndefault: true\nservers:\n  - every\n  - own\n  - gone\nmcp_connect:\n  docs:\n    target: https://docs.example.com/mcp\nfunction_tools:\n  - ../tools.py:add_one\n---\nLead.\n';
const files = {
  'agent-cards/lead.md': lead,
  'tools.py': 'LIMIT = 3\n\n\ndef add_one(x: int) -> int:\n    """Add one to a number."""\n    return x + 1\n',
  'own.mjs': 'process.stdin.resume();\n',
  'fast-agent.yaml': `mcp:
  servers:
    every: # of the protocol
      command: node
      args: [every.mjs]
    own:
      command: node
      args: [own.mjs]
    gone:
      command: node
      args: [gone.mjs]
`,
};
const settings = (page: Page) => page.getByRole('region', { name: 'MCP server', exact: true });

async function save(page: Page, stage: Stage): Promise<Record<string, string>> {
  await page.keyboard.press('ControlOrMeta+s');
  await expectSaveState(page, 'Saved');
  return await stage.savedFiles();
}

test('a server is renamed by F2, duplicated and deleted, and its settings are rows', async ({ page, stage }) => {
  await stage.openEditor(files);
  for (const [from, to] of [
    ['own', 'clock'],
    ['docs', 'pages'],
  ]) {
    await node(page, `server:${from}`).click();
    await page.keyboard.press('F2');
    const field = graph(page).getByRole('textbox', { name: `New name of ${from}` });
    await field.fill(`${to}`);
    await field.press('Enter');
    await expect(node(page, `server:${to}`)).toBeVisible();
  }
  await node(page, 'server:clock').click();
  await page.keyboard.press('ControlOrMeta+d');
  await graph(page).getByRole('textbox', { name: 'New name of clock-2' }).fill('copy');
  await page.keyboard.press('Enter');
  await settings(page).getByRole('button', { name: 'Remove argument 1' }).click();
  await expect(settings(page).getByText(/runs 'node' without naming what to run/)).toBeVisible();
  await settings(page).getByRole('button', { name: 'Add argument' }).click();
  await page.keyboard.type('own.mjs');
  await page.keyboard.press('Enter');
  await page.keyboard.type('--quiet');
  await page.keyboard.press('Tab');
  await settings(page).getByRole('button', { name: 'Add variable' }).click();
  await page.keyboard.type('TOKEN');
  await page.keyboard.press('Tab');
  await settings(page).getByRole('button', { name: 'Use a variable for TOKEN' }).click();
  await settings(page).getByRole('combobox', { name: 'Variable of TOKEN' }).click();
  await page.keyboard.type('OWN_TOKEN');
  await page.keyboard.press('Enter');
  await expect(settings(page).getByRole('combobox', { name: 'Variable of TOKEN' })).toContainText('OWN_TOKEN');
  expect(await seriousFaults(page)).toEqual([]);
  await node(page, 'server:gone').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(node(page, 'server:gone')).toHaveCount(0);
  const saved = await save(page, stage);
  expect(saved['agent-cards/lead.md']).toBe(
    lead.replace('  - own\n  - gone\n', '  - clock\n').replace('  docs:', '  pages:'),
  );
  expect(saved['fast-agent.yaml']).toBe(
    `${files['fast-agent.yaml'].split('    gone:')[0]?.replace('own:', 'clock:')}    copy:
      command: node
      args: [own.mjs, "--quiet"]
      env:
        TOKEN: \${OWN_TOKEN}
`,
  );
});

test('text and form are those of the selected thing, from its top @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await page.getByRole('button', { name: 'own.mjs' }).click();
  await expect(page.getByLabel('Text of own.mjs')).toBeVisible();
  // The canvas becomes narrower while the text opens, and a click on a node that is on its way misses it.
  await expect(async () => {
    await node(page, 'server:own').click();
    await expect(page.getByLabel('Text of fast-agent.yaml')).toContainText('every', { timeout: 2_000 });
  }).toPass();
  await node(page, 'function:tools.py:add_one').click();
  await expect(page.getByLabel('Text of tools.py')).toContainText('add_one');

  await stage.openEditor(files);
  await node(page, 'agent:lead').click();
  const panel = page.getByRole('tabpanel', { name: 'Properties' });
  await panel.evaluate((element) => element.scrollTo(0, 400));
  await expect.poll(() => panel.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
  await node(page, 'server:own').click();
  await expect.poll(() => panel.evaluate((element) => element.scrollTop)).toBe(0);
});

test('a function tool is picked from the code, and a new one is written', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'function:tools.py:add_one').click();
  const form = page.getByRole('tabpanel', { name: 'Properties' });
  await expect(form).toContainText('Add one to a number.');
  await expect(form.getByRole('region', { name: 'Parameters' })).toContainText('x');
  await expect(form.getByRole('region', { name: 'Used by' })).toContainText('lead');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('region', { name: 'Used by' }).getByRole('button', { name: 'lead' }).click();

  const tools = form.getByRole('combobox', { name: 'Function tools' });
  await tools.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option', { name: /add_one\(x: int\)/ })).toBeVisible();
  await page.keyboard.type('half');
  await page.getByRole('option', { name: "New function 'half' in tools.py" }).click();
  await expect(page.getByLabel('Text of tools.py')).toContainText('def half');
  const saved = await save(page, stage);
  expect(saved['agent-cards/lead.md']).toBe(lead.replace('add_one\n', 'add_one\n  - ../tools.py:half\n'));
  expect(saved['tools.py']).toContain(files['tools.py']);
});
