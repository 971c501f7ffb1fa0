import { emptyPlace, node, wires } from '@/e2e/canvas';
import { expect, test } from '../stage';

/** One list of what can be added, whichever way it is opened. */

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nservers: [time]\n---\nLead.\n',
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
};

test.beforeEach(async ({ stage }) => {
  await stage.openEditor(files);
});

test('the key, the button, the outline and the menu open the same list', async ({ page }) => {
  const list = page.getByRole('dialog', { name: 'Add to the canvas' });
  const rows = async () => {
    const found = await list.getByRole('option').allTextContents();
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    return found;
  };
  await node(page, 'agent:lead').click();
  await page.keyboard.press('n');
  await expect(list).toBeVisible();
  const byKey = await rows();
  expect(byKey.slice(0, 5).map((text) => text.match(/^(Agent|MCP server|Function tool|Hook|Note)/)?.[0])).toEqual([
    'Agent',
    'MCP server',
    'Function tool',
    'Hook',
    'Note',
  ]);
  for (const name of ['Add', 'Add…']) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(list).toBeVisible();
    expect(await rows(), name).toEqual(byKey);
  }
  await page.getByRole('treeitem', { name: /^lead/ }).click();
  await page.keyboard.press('n');
  await expect(list).toBeVisible();
  expect(await rows()).toEqual(byKey);
  const { x, y } = await emptyPlace(page);
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Add…' }).click();
  await expect(list).toBeVisible();
  expect(await rows()).toEqual(byKey);
});

test('a typed name is first offered as a new agent, which has it at once', async ({ page, stage }) => {
  await node(page, 'agent:lead').click();
  await page.keyboard.press('n');
  await page.keyboard.type('poet');
  await expect(page.getByRole('option').first()).toHaveText(/^New agent 'poet'/);
  await page.keyboard.press('Enter');
  await expect(node(page, 'agent:poet')).toBeFocused();
  await expect(page.getByRole('textbox', { name: /^New name of/ })).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+s');
  expect(Object.keys(await stage.savedFiles())).toContain('agent-cards/poet.md');
});

test('at a server is the agent that may use it, and nothing that a server cannot have @full', async ({ page }) => {
  await node(page, 'server:time').click();
  await page.keyboard.press('c');
  const list = page.getByRole('dialog', { name: 'Connect time to' });
  await expect(list.getByRole('option')).toHaveText([/^kid/]);
  await page.keyboard.press('Enter');
  await expect(wires(page)).toHaveCount(2);
});
