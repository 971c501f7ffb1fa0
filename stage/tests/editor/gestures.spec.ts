import type { Locator, Page } from '@playwright/test';
import { parse } from 'yaml';
import { drag, drawWire, emptyPlace, middleOf, node, selected, stepBack, wires } from '@/e2e/canvas';
import { expectNoEdits, expectSavedFiles, graph, save } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** These tests use mouse and keys on the canvas, and check the content of the folder afterwards. */

const settings = `version: 1
canvas:
  positions:
    "agent:lead": { x: 0, y: 100 }
    "agent:kid": { x: 300, y: 0 }
    "agent:pal": { x: 300, y: 100 }
    "server:time": { x: 300, y: 200 }
`;
const places = {
  'agent:lead': { x: 0, y: 100 },
  'agent:kid': { x: 300, y: 0 },
  'agent:pal': { x: 300, y: 100 },
  'server:time': { x: 300, y: 200 },
};
const files = {
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
  'agent-cards/pal.md': '---\nname: pal\n---\nHelp too.\n',
  'callboard.yaml': settings,
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
};

/** The width of an agent, in units of the canvas. */
const nodeWidth = 224;

test.beforeEach(async ({ page, stage }) => {
  await stage.openEditor(files);
  await expect(graph(page).locator('.react-flow__node')).toHaveCount(4);
});

test('a wire that may not be drawn says why, and one that may is written into the card', async ({ page, stage }) => {
  await stepBack(page);
  await drawWire(page, 'agent:kid', 'agent:lead', async () => {
    await expect(graph(page).getByRole('alert')).toHaveText('That would make a cycle: kid → lead → kid.');
  });
  await drawWire(page, 'agent:lead', 'agent:kid', async () => {
    await expect(graph(page).getByRole('alert')).toHaveText("'kid' is already connected to 'lead'.");
  });
  // A refused wire is not tried: the editor has no notice about it.
  await expect(page.getByText(/That would make a cycle|is already connected/)).toHaveCount(0);
  await expect(wires(page)).toHaveCount(1);

  await drawWire(page, 'agent:kid', 'agent:pal');
  await drawWire(page, 'agent:pal', 'server:time');
  await expect(wires(page)).toHaveCount(3);
  await expectSaved(page, stage, {
    ...files,
    'agent-cards/kid.md': '---\nname: kid\nagents:\n  - pal\n---\nHelp.\n',
    'agent-cards/pal.md': '---\nname: pal\nservers:\n  - time\n---\nHelp too.\n',
  });
});

test('what is deleted is back after undo, and gone after redo', async ({ page, stage }) => {
  await node(page, 'agent:kid').click();
  await page.keyboard.press('Delete');
  await expect(graph(page).locator('.react-flow__node')).toHaveCount(3);
  const { 'agent-cards/kid.md': kid, ...others } = files;
  const without = {
    ...others,
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n',
    'callboard.yaml': settings.replace(/.*agent:kid.*\n/, ''),
  };
  await expectSaved(page, stage, without);

  await page.keyboard.press('ControlOrMeta+z');
  await expect(wires(page)).toHaveCount(1);
  await expectSaved(page, stage, files);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(wires(page)).toHaveCount(0);
  await expectSaved(page, stage, without);
});

test('a wire is selected by a click and deleted by a key', async ({ page, stage }) => {
  const { x, y } = await middleOf(wires(page).locator('path.react-flow__edge-interaction'));
  await page.mouse.click(x, y);
  await expect(wires(page)).toHaveClass(/selected/);
  await page.keyboard.press('Delete');
  await expect(wires(page)).toHaveCount(0);
  await expectSaved(page, stage, {
    ...files,
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n',
  });
});

test('agents are copied and pasted under free names, cut, and duplicated', async ({ page, stage }) => {
  await node(page, 'agent:lead').click();
  await node(page, 'agent:kid').click({ modifiers: ['Shift'] });
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('ControlOrMeta+v');
  const pasted = {
    ...files,
    'agent-cards/kid-2.md': '---\nname: kid-2\n---\nHelp.\n',
    'agent-cards/lead-2.md': '---\nname: lead-2\nagents: [kid-2]\n---\nLead.\n',
  };
  await expectSaved(page, stage, pasted);

  await page.keyboard.press('ControlOrMeta+x');
  await expectSaved(page, stage, files);
  await page.keyboard.press('ControlOrMeta+v');
  await expectSaved(page, stage, pasted);

  await node(page, 'agent:pal').click();
  await page.keyboard.press('ControlOrMeta+d');
  await expectSaved(page, stage, { ...pasted, 'agent-cards/pal-2.md': '---\nname: pal-2\n---\nHelp too.\n' });
});

test('a server is cut with the agent that was copied, and both come back @full', async ({ page, stage }) => {
  const served = {
    'agent-cards/lead.md': '---\nname: lead\nservers: [time]\n---\nLead.\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node }\n    other: { command: other }\n',
  };
  await stage.openEditor(served);
  await node(page, 'agent:lead').click();
  await node(page, 'server:time').click({ modifiers: ['Shift'] });
  await page.keyboard.press('ControlOrMeta+x');
  await expectSaved(page, stage, { 'fast-agent.yaml': 'mcp:\n  servers:\n    other: { command: other }\n' });
  await page.keyboard.press('ControlOrMeta+v');
  await expect(node(page, 'agent:lead')).toBeVisible();
  await expect(node(page, 'server:time')).toBeVisible();
});

test('nodes are selected by a frame and by shift-click, and move together', async ({ page, stage }) => {
  await frameKidAndPal(page);
  await expect(selected(page)).toHaveText([/kid/, /pal/]);
  await node(page, 'agent:lead').click();
  await expect(selected(page)).toHaveText([/lead/]);
  await node(page, 'server:time').click({ modifiers: ['Shift'] });
  await expect(selected(page)).toHaveText([/lead/, /time/]);
  await node(page, 'agent:kid').click({ modifiers: ['Shift'] });
  await node(page, 'server:time').click({ modifiers: ['Shift'] });
  await expect(selected(page)).toHaveText([/kid/, /lead/]);

  const by = await dragAndMeasure(page, 'agent:lead', node(page, 'agent:lead'));
  await save(page);
  expect(await savedPlaces(stage)).toEqual({
    ...places,
    'agent:lead': { x: by.x, y: 100 + by.y },
    'agent:kid': { x: 300 + by.x, y: by.y },
  });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSaved(page, stage, files);
});

test('framed nodes move together by their frame @full', async ({ page, stage }) => {
  await frameKidAndPal(page);
  await expect(selected(page)).toHaveText([/kid/, /pal/]);
  const by = await dragAndMeasure(page, 'agent:kid', graph(page).locator('.react-flow__nodesselection-rect'));
  await save(page);
  expect(await savedPlaces(stage)).toEqual({
    ...places,
    'agent:kid': { x: 300 + by.x, y: by.y },
    'agent:pal': { x: 300 + by.x, y: 100 + by.y },
  });
  await page.keyboard.press('ControlOrMeta+z');
  await expectSaved(page, stage, files);
});

test('the menu of a node does what it says', async ({ page, stage }) => {
  await node(page, 'agent:kid').click({ button: 'right' });
  await item(page, /^Add child agent/).click();
  await page.getByRole('textbox', { name: 'New name of agent' }).fill('grandchild');
  await page.keyboard.press('Enter');
  await expect(node(page, 'agent:grandchild')).toBeVisible();
  const withChild = {
    ...files,
    'agent-cards/kid.md': '---\nname: kid\nagents:\n  - grandchild\n---\nHelp.\n',
    'agent-cards/grandchild.md': '---\ntype: agent\nname: grandchild\n---\n',
  };
  await expectSaved(page, stage, withChild);

  await node(page, 'agent:grandchild').click({ button: 'right' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await node(page, 'agent:grandchild').click({ button: 'right' });
  await item(page, /^Delete/).press('Enter');
  await expectSaved(page, stage, files);
});

test('the menus of wire and canvas do what they say', async ({ page, stage }) => {
  const { x, y } = await middleOf(wires(page).locator('path.react-flow__edge-interaction'));
  await page.mouse.click(x, y, { button: 'right' });
  await item(page, /^Remove edge/).click();
  await expect(wires(page)).toHaveCount(0);
  const empty = await emptyPlace(page);
  await page.mouse.click(empty.x, empty.y, { button: 'right' });
  await item(page, /^Undo/).click();
  await expect(wires(page)).toHaveCount(1);
  await expectUnchanged(page, stage);
});

test('a name is changed on its node, and Escape leaves it', async ({ page, stage }) => {
  await node(page, 'agent:kid').click();
  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: 'New name of kid' });
  await field.fill('child');
  await field.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(node(page, 'agent:kid')).toBeFocused();
  await page.keyboard.press('F2');
  await field.fill('little one');
  await field.press('Enter');
  await expect(node(page, 'agent:little_one')).toBeFocused();
  const { 'agent-cards/kid.md': _kid, ...others } = files;
  await expectSaved(page, stage, {
    ...others,
    'agent-cards/little_one.md': '---\nname: little_one\n---\nHelp.\n',
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [little_one]\n---\nLead.\n',
    'callboard.yaml': settings.replace('agent:kid', 'agent:little_one'),
  });
});

test('a renamed node has the focus also after the question where it is used @full', async ({ page, stage }) => {
  const uses = 'GET /api/v1/projects/desk/uses';
  const asked = page.getByRole('alertdialog');
  const rename = async (from: string, to: string) => {
    await node(page, `agent:${from}`).click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: `New name of ${from}` }).fill(to);
    await page.keyboard.press('Enter');
    await expect(asked).toContainText('Looking where it is used');
  };
  await stage.trouble(uses, { kind: 'late' });
  await rename('kid', 'child');
  await stage.release(uses);
  await expect(asked).toHaveCount(0);
  await expect(node(page, 'agent:child')).toBeFocused();

  await stage.trouble(uses, { kind: 'late' });
  await rename('pal', 'friend');
  await asked.getByRole('button', { name: 'Rename pal' }).click();
  await expect(node(page, 'agent:friend')).toBeFocused();
  await stage.release(uses);
});

test('what is typed while it is still read where a renamed agent is used stays where it is typed @full', async ({
  page,
  stage,
}) => {
  const uses = 'GET /api/v1/projects/desk/uses';
  await stage.trouble(uses, { kind: 'late' });
  await node(page, 'agent:kid').click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name of kid' }).fill('child');
  await page.keyboard.press('Enter');
  await page.keyboard.press('n');
  await page.keyboard.type('pa');
  await expect(page.getByRole('alertdialog', { name: 'Rename kid?' })).toContainText('Looking where it is used');
  await page.keyboard.type('per');
  await expect(page.getByRole('combobox', { name: 'Add to the canvas' })).toHaveValue('paper');
  await stage.release(uses);
  await expect(node(page, 'agent:child')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Add to the canvas' })).toHaveValue('paper');
  await page.keyboard.press('Enter');
  await expect(node(page, 'agent:paper')).toBeVisible();
});

test('an agent dragged from the palette appears where it is dropped', async ({ page, stage }) => {
  const lead = await node(page, 'agent:lead').boundingBox();
  const frame = await graph(page).boundingBox();
  if (lead === null || frame === null) throw new Error('The canvas is not on the screen');
  const targetPosition = { x: lead.x - frame.x + 20, y: lead.y - frame.y + 100 };
  await page
    .getByRole('region', { name: 'Palette' })
    .getByRole('button', { name: 'Agent' })
    .dragTo(graph(page), { targetPosition });
  await page.getByRole('textbox', { name: 'New name of agent' }).press('Enter');
  await save(page);
  expect(await savedPlaces(stage)).toEqual({ ...places, 'agent:agent': { x: 20, y: 200 } });
  expect((await stage.savedFiles())['agent-cards/agent.md']).toBe('---\ntype: agent\nname: agent\n---\n');
});

test('keys show the selection, all of the graph, and the next node', async ({ page, stage }) => {
  const lead = node(page, 'agent:lead');
  const home = await lead.boundingBox();
  await lead.click();
  await page.keyboard.press('2');
  const width = async () => (await lead.boundingBox())?.width ?? 0;
  await expect.poll(width).toBeCloseTo(nodeWidth * 1.2, 0);
  await page.keyboard.press('1');
  await expect.poll(() => lead.boundingBox()).toEqual(home);
  await page.mouse.wheel(0, 240);
  await expect.poll(width).toBeLessThan(home?.width ?? 0);
  await page.keyboard.press('1');
  await expect.poll(() => lead.boundingBox()).toEqual(home);

  await page.keyboard.press('ArrowRight');
  await expect(node(page, 'agent:kid')).toBeFocused();
  await expect(selected(page)).toHaveText([/kid/]);
  await page.keyboard.press('ControlOrMeta+a');
  await expect(selected(page)).toHaveCount(4);
  await page.keyboard.press('Escape');
  await expect(selected(page)).toHaveCount(0);
  await expectUnchanged(page, stage);
});

/** Draws a frame that holds a part of `kid` and of `pal`. */
async function frameKidAndPal(page: Page): Promise<void> {
  const kid = await node(page, 'agent:kid').boundingBox();
  const pal = await node(page, 'agent:pal').boundingBox();
  if (kid === null || pal === null) throw new Error('The nodes are not on the screen');
  await page.keyboard.down('Shift');
  await drag(
    page,
    { x: kid.x + kid.width + 20, y: kid.y - 10 },
    { x: pal.x + pal.width / 2, y: pal.y + pal.height / 2 },
  );
  await page.keyboard.up('Shift');
}

/** Drags `handle`, and returns how far the node has moved, in units of the canvas. */
async function dragAndMeasure(page: Page, id: string, handle: Locator): Promise<{ x: number; y: number }> {
  const before = await node(page, id).boundingBox();
  const at = await middleOf(handle);
  await drag(page, at, { x: at.x + 30, y: at.y + 40 });
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeEnabled();
  const after = await node(page, id).boundingBox();
  if (before === null || after === null) throw new Error('The node is not on the screen');
  const zoom = after.width / nodeWidth;
  const by = { x: Math.round((after.x - before.x) / zoom), y: Math.round((after.y - before.y) / zoom) };
  expect(Math.min(by.x, by.y)).toBeGreaterThan(20);
  return by;
}

function item(page: Page, name: RegExp): Locator {
  return page.getByRole('menuitem', { name });
}

/** Saves the changes, and compares the whole folder. */
async function expectSaved(page: Page, stage: Stage, expected: Record<string, string>): Promise<void> {
  await expectSavedFiles(page, () => stage.savedFiles(), expected);
}

/** Expects that there is nothing to save. */
async function expectUnchanged(page: Page, stage: Stage): Promise<void> {
  await expectNoEdits(page);
  expect(await stage.savedFiles()).toEqual(files);
}

async function savedPlaces(stage: Stage): Promise<unknown> {
  const { 'callboard.yaml': text = '' } = await stage.savedFiles();
  return parse(text).canvas.positions;
}
