import { graph, seriousFaults, showPanel, showWholeGraph } from '@/e2e/pages';
import { expect, test } from '../stage';

const card = (name: string, fields: string) => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;

test('the tab What the model sees lists the tools a model is offered, and follows the card', async ({
  page,
  stage,
}) => {
  await stage.openEditor({
    'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid, pal]\nservers: [time]\nhuman_input: true\n'),
    'agent-cards/kid.md': card('kid', 'description: Does the work.\n'),
    'agent-cards/pal.md': card('pal', ''),
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
    'callboard.yaml': 'tool_groups:\n  lead:\n    groups:\n      later: { active: false, agents: [pal] }\n',
  });
  await graph(page).getByText('lead', { exact: true }).click();
  await showPanel(page, 'Inspector');
  await page.getByRole('tab', { name: 'What the model sees' }).click();

  const tools = page.getByRole('list', { name: 'Tools, in order' }).getByRole('listitem');
  await expect(tools).toHaveText([
    /MCP.*time__\*/,
    /Built-in.*__human_input/,
    /agent__kid/,
    /agent__pal.*later is active/,
  ]);
  await tools.filter({ hasText: 'agent__kid' }).getByText('Parameters').click();
  await expect(tools.filter({ hasText: 'agent__kid' })).toContainText('"type": "object"');
  expect(await seriousFaults(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Properties' }).click();
  await page.getByRole('checkbox', { name: 'Human input' }).click();
  await page.getByRole('tab', { name: 'What the model sees' }).click();
  await expect(tools).toHaveCount(3);
});

test('many children stand in a grid, and a wire is drawn to each @full', async ({ page, stage }) => {
  const kids = Array.from({ length: 20 }, (_, index) => `kid-${index + 1}`);
  await stage.openEditor({
    'agent-cards/lead.md': card('lead', `default: true\nagents: [${kids.join(', ')}]\n`),
    ...Object.fromEntries(kids.map((kid) => [`agent-cards/${kid}.md`, card(kid, '')])),
  });
  await showWholeGraph(page);
  await expect(page.locator('.react-flow__edge')).toHaveCount(20);
  await expect(page.locator('.react-flow__node')).toHaveCount(21);
  const columns = await page
    .locator('.react-flow__node')
    .evaluateAll((nodes) => new Set(nodes.map((node) => Math.round(node.getBoundingClientRect().x))).size);
  expect(columns).toBeGreaterThanOrEqual(4);
});

test('a new agent that is given its name stays where it was and selected @full', async ({ page, stage }) => {
  await stage.openEditor({ 'agent-cards/lead.md': card('lead', 'default: true\n') });
  await graph(page).getByText('lead', { exact: true }).click();
  await page.keyboard.press('n');
  await expect(page.getByRole('option', { name: /^Agent/ })).toBeVisible();
  await page.keyboard.press('Enter');
  const field = graph(page).getByRole('textbox', { name: 'New name of agent' });
  await expect(field).toBeFocused();
  const node = (id: string) => page.locator(`.react-flow__node[data-id="agent:${id}"]`);
  const before = await node('agent').boundingBox();
  await field.fill('helper');
  await field.press('Enter');
  await expect(node('helper')).toHaveClass(/selected/);
  expect(await node('helper').boundingBox()).toEqual(before);
});
