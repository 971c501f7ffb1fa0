import type { Locator, Page } from '@playwright/test';
import { drawWire, middleOf, node, stepBack } from '@/e2e/canvas';
import { expectNoEdits, expectSavedFiles, graph, save, showPanel } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** What wires between a workflow and its members mean, and how their meaning is changed. */

const member = (name: string) => ({ [`agent-cards/${name}.md`]: `---\nname: ${name}\n---\nHelp.\n` });
const flow = (sequence: string) =>
  `---\nname: flow\ntype: chain # in order\ndefault: true\nsequence: ${sequence}\n---\n`;
const split = (fields: string) => `---\nname: split\ntype: parallel\n${fields}\n---\n`;
const loop = (generator: string, evaluator: string) =>
  `---\nname: loop\ntype: evaluator_optimizer\ngenerator: ${generator} # writes\nevaluator: ${evaluator}\nmin_rating: EXCELLENT\n---\n`;

const files: Record<string, string> = {
  ...member('a'),
  ...member('b'),
  ...member('c'),
  ...member('d'),
  ...member('e'),
  ...member('f'),
  ...member('g'),
  ...member('h'),
  'agent-cards/flow.md': flow('[a, b, c]'),
  'agent-cards/split.md': split('fan_out: [d, e]\nfan_in: f'),
  'agent-cards/loop.md': loop('g', 'h'),
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
  'callboard.yaml': `version: 1
canvas:
  positions:
    "agent:flow": { x: 0, y: 100 }
    "agent:a": { x: 320, y: 0 }
    "agent:b": { x: 320, y: 100 }
    "agent:c": { x: 320, y: 200 }
    "agent:split": { x: 0, y: 400 }
    "agent:d": { x: 354, y: 350 }
    "agent:e": { x: 354, y: 450 }
    "agent:f": { x: 680, y: 400 }
    "agent:loop": { x: 0, y: 650 }
    "agent:g": { x: 320, y: 600 }
    "agent:h": { x: 320, y: 700 }
    "server:time": { x: 680, y: 0 }
`,
};

test.beforeEach(async ({ page, stage }) => {
  await stage.openEditor(files);
  await expect(graph(page).locator('.react-flow__node')).toHaveCount(12);
});

test('the menu of a wire moves a step, and undo restores the text', async ({ page, stage }) => {
  await expect(flows(page, 'next')).toHaveCount(2);
  await openMenu(page, wire(page, 'sequence:agent:flow→agent:a'));
  await expect(item(page, 'Move earlier')).toHaveCount(0);
  await item(page, 'Move later').click();
  await expectSaved(page, stage, { 'agent-cards/flow.md': flow('[b, a, c]') });
  await expect(wire(page, 'sequence:agent:flow→agent:a').locator('..').getByText('2', { exact: true })).toBeAttached();
  await page.keyboard.press('ControlOrMeta+z');
  await expectSaved(page, stage, {});
});

test('the list of steps is ordered by keyboard, and the focus stays on the entry', async ({ page, stage }) => {
  await node(page, 'agent:flow').click();
  await showPanel(page, 'Inspector');
  const steps = page.getByRole('list', { name: 'Sequence' }).getByRole('listitem');
  const down = page.getByRole('button', { name: 'Move a down' });
  await down.focus();
  await down.press('Enter');
  await expect(steps).toHaveText(['b', 'a', 'c']);
  await expect(down).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(steps).toHaveText(['b', 'c', 'a']);
  await expect(page.getByRole('button', { name: 'Move a up' })).toBeFocused();
  await expectSaved(page, stage, { 'agent-cards/flow.md': flow('[b, c, a]') });

  await page.getByRole('combobox', { name: 'Sequence' }).click();
  await page.getByRole('option', { name: 'b', exact: true }).click();
  await expect(steps).toHaveText(['b', 'c', 'a', 'b']);
  await page.getByRole('checkbox', { name: 'Cumulative' }).click();
  await showPanel(page, 'Canvas');
  await expect(node(page, 'agent:flow')).toHaveAccessibleName('flow, chain · 4 steps, cumulative');
  await expect(flows(page, 'next')).toHaveCount(3);
});

test('generator and evaluator change places in the form of their wire @full', async ({ page, stage }) => {
  await expect(flows(page, 'feedback')).toContainText('until EXCELLENT, ≤ 3×');
  await select(page, wire(page, 'generator:agent:loop→agent:g'));
  await showPanel(page, 'Inspector');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Evaluator' }).click();
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveText('Evaluator');
  await expectSaved(page, stage, { 'agent-cards/loop.md': loop('h', 'g') });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSaved(page, stage, {});
});

test('a click on a line to the gate selects the fan-in, and Delete removes it @full', async ({ page, stage }) => {
  await expect(flows(page, 'join')).toHaveCount(2);
  await select(page, flows(page, 'join').first().locator('path.react-flow__edge-interaction'));
  await page.keyboard.press('Delete');
  await expect(flows(page, 'join')).toHaveCount(0);
  await expectSaved(page, stage, { 'agent-cards/split.md': split('fan_out: [d, e]') });
  await expect(node(page, 'agent:split')).toHaveAccessibleName('split, parallel · 2 at once, answers joined');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(flows(page, 'join')).toHaveCount(2);
  await expectSaved(page, stage, {});
});

test('the fan-in becomes a branch, and a branch the fan-in @full', async ({ page, stage }) => {
  await openMenu(page, wire(page, 'fan_out:agent:split→agent:d'));
  await item(page, 'Make it the fan-in').click();
  await expectSaved(page, stage, { 'agent-cards/split.md': split('fan_out: [f, e]\nfan_in: d') });
  await openMenu(page, wire(page, 'fan_in:agent:split→agent:d'));
  await item(page, 'Make it a branch').click();
  await expectSaved(page, stage, { 'agent-cards/split.md': split('fan_out: [f, e, d]') });
});

test('a member that is deleted leaves no trace in its workflows', async ({ page, stage }) => {
  for (const name of ['b', 'f', 'h']) {
    await node(page, `agent:${name}`).click({ modifiers: name === 'b' ? [] : ['Shift'] });
  }
  await page.keyboard.press('Delete');
  await expect(graph(page).locator('.react-flow__node')).toHaveCount(9);
  await save(page);
  const left = await stage.savedFiles();
  expect(left['agent-cards/flow.md']).toBe(flow('[a, c]'));
  expect(left['agent-cards/split.md']).toBe(split('fan_out: [d, e]'));
  expect(left['agent-cards/loop.md']).toBe(
    '---\nname: loop\ntype: evaluator_optimizer\ngenerator: g # writes\nmin_rating: EXCELLENT\n---\n',
  );
  await page.keyboard.press('ControlOrMeta+z');
  await expectSaved(page, stage, {});
});

test('a wire that cannot be says why, and what to do @full', async ({ page }) => {
  await stepBack(page);
  const refused = async (from: string, to: string, reason: string) => {
    await drawWire(page, from, to, async () => {
      await expect(graph(page).getByRole('alert')).toHaveText(reason);
    });
  };
  await refused('agent:flow', 'server:time', 'A card of type chain takes no MCP servers. Wire them to its members.');
  await refused('agent:a', 'agent:flow', 'That would make a cycle: a → flow → a.');
  await refused('agent:split', 'agent:d', "'d' is already connected to 'split'.");
  await refused('agent:loop', 'agent:a', "'loop' has its generator and its evaluator. Remove one first.");
  await expectNoEdits(page);
});

function wire(page: Page, id: string): Locator {
  return graph(page).locator(`.react-flow__edge[data-id="${id}"] path.react-flow__edge-interaction`);
}

function flows(page: Page, kind: string): Locator {
  return graph(page).locator(`[data-flow="${kind}"]`);
}

async function select(page: Page, line: Locator): Promise<void> {
  const { x, y } = await middleOf(line);
  await page.mouse.click(x, y);
}

async function openMenu(page: Page, line: Locator): Promise<void> {
  const { x, y } = await middleOf(line);
  await page.mouse.click(x, y, { button: 'right' });
}

function item(page: Page, name: string): Locator {
  return page.getByRole('menuitem', { name });
}

/** Saves what was changed. The folder then holds the files of the project, except these. */
async function expectSaved(page: Page, stage: Stage, changed: Record<string, string>): Promise<void> {
  await expectSavedFiles(page, () => stage.savedFiles(), { ...files, ...changed });
}
