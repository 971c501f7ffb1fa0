import type { Locator, Page } from '@playwright/test';
import { drag, emptyPlace, middleOf, node, selected, wires } from '@/e2e/canvas';
import { graph } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;
const settings = `version: 1
canvas:
  positions:
    agent:lead: { x: 0, y: 0 }
    agent:kid: { x: 400, y: 0 }
    agent:pal: { x: 410, y: 200 }
`;
const files = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid'),
  'agent-cards/pal.md': card('pal'),
  'tools.py': 'def add_one(x: int) -> int:\n    return x + 1\n',
  'callboard.yaml': settings,
};

test.beforeEach(async ({ page, stage }) => {
  await stage.openEditor(files);
  await expect(node(page, 'agent:lead')).toBeVisible();
});

async function saved(page: Page, stage: Stage): Promise<Record<string, string>> {
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.locator('header').getByRole('status')).toHaveText('Saved');
  return stage.savedFiles();
}

const picker = (page: Page): Locator => page.getByRole('combobox', { name: /^(Add|Connect)/ });
const said = (page: Page): Locator => page.locator('[data-announcer]');

test('a wire dropped on empty canvas opens a list, and what is chosen there is connected', async ({ page, stage }) => {
  const handle = node(page, 'agent:lead').locator('.react-flow__handle.source');
  const frame = await graph(page).boundingBox();
  const from = await middleOf(handle);
  const below = { x: from.x + 60, y: (frame?.y ?? 0) + (frame?.height ?? 0) - 40 };
  await drag(page, from, below);
  await picker(page).fill('add_one');
  await page.keyboard.press('Enter');
  await expect(node(page, 'function:tools.py:add_one')).toBeVisible();
  await expect(said(page)).toHaveText('Add add_one');
  await expect(node(page, 'function:tools.py:add_one')).toBeFocused();

  const beside = { x: below.x - 200, y: below.y };
  await drag(page, await middleOf(handle), beside);
  await picker(page).fill('pal');
  await page.keyboard.press('Enter');
  await expect(wires(page)).toHaveCount(3);

  await drag(page, await middleOf(handle), beside);
  await picker(page).fill('server');
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: /^New name of/ });
  await field.fill('time');
  await field.press('Enter');
  await expect(wires(page)).toHaveCount(4);
  const now = await saved(page, stage);
  expect(now['agent-cards/lead.md']).toBe(
    card('lead', 'default: true\nservers:\n  - time\nagents: [kid, pal]\nfunction_tools:\n  - ../tools.py:add_one\n'),
  );
});

test('by keys: add, connect, move, delete; the focus stays in the canvas', async ({ page, stage }) => {
  await node(page, 'agent:lead').click();
  await page.keyboard.press('c');
  await picker(page).fill('pal');
  await page.keyboard.press('Enter');
  await expect(wires(page)).toHaveCount(2);

  await page.keyboard.press('ArrowRight');
  await expect(node(page, 'agent:kid')).toBeFocused();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(said(page)).toHaveText(/^Move/);
  await page.keyboard.press('Delete');
  await expect(node(page, 'agent:kid')).toHaveCount(0);
  await expect(node(page, 'agent:lead')).toBeFocused();
  await expect(said(page)).toHaveText('Delete kid');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(said(page)).toHaveText('Undone: Delete kid');
  expect((await saved(page, stage))['callboard.yaml']).toBe(settings.replace('{ x: 400, y: 0 }', '{ x: 408, y: 24 }'));

  await page.keyboard.press('w');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^Remove edge/ }).press('Enter');
  await expect(wires(page)).toHaveCount(1);
  await expect(node(page, 'agent:lead')).toBeFocused();
});

test('notes and groups are drawn, moved and saved, and cards stay as they are', async ({ page, stage }) => {
  const { x, y } = await emptyPlace(page);
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Add…' }).click();
  await page.getByRole('option', { name: /^Note/ }).click();
  await page.getByRole('textbox', { name: 'Text of the note' }).fill('Ask the team first');
  await page.keyboard.press('Escape');
  await expect(graph(page).getByText('Ask the team first')).toBeVisible();

  await node(page, 'agent:kid').click();
  await node(page, 'agent:pal').click({ modifiers: ['Shift'] });
  await expect(selected(page)).toHaveCount(2);
  await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Align left' }).click();
  await page.keyboard.press('ControlOrMeta+g');
  await page.getByRole('textbox', { name: 'Title of the group' }).fill('Helpers');
  await page.keyboard.press('Enter');

  const head = graph(page).getByText('Helpers', { exact: true });
  const before = await node(page, 'agent:kid').boundingBox();
  const at = await middleOf(head);
  await drag(page, at, { x: at.x + 40, y: at.y + 30 });
  await expect
    .poll(async () => (await node(page, 'agent:kid').boundingBox())?.x)
    .toBeGreaterThan((before?.x ?? 0) + 20);
  await page.getByRole('button', { name: 'Collapse Helpers' }).click();
  await expect(node(page, 'agent:kid')).toHaveCount(0);
  await expect(wires(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Expand Helpers' }).click();
  await expect(node(page, 'agent:kid')).toBeVisible();

  const now = await saved(page, stage);
  expect(now['callboard.yaml']).toContain('Ask the team first');
  expect(now['callboard.yaml']).toMatch(/title: Helpers\n\s+members:\n?.*agent:kid/);
  expect({ ...now, 'callboard.yaml': settings }).toEqual(files);
  for (let step = 0; step < 12; step += 1) await page.keyboard.press('ControlOrMeta+z');
  expect(await saved(page, stage)).toEqual(files);
});

test('letters are readable on opening, and a drag with Shift selects no text @full', async ({ page }) => {
  const sizes = await graph(page)
    .locator('.react-flow__node')
    .evaluateAll((nodes) =>
      nodes.flatMap((one) =>
        [...one.querySelectorAll('span, p')].flatMap((part) => {
          const text = [...part.childNodes].some((child) => child.nodeType === 3 && child.textContent?.trim());
          if (!text || !(part instanceof HTMLElement) || part.offsetParent === null) return [];
          const zoom = one.getBoundingClientRect().width / (one as HTMLElement).offsetWidth;
          return [Number.parseFloat(getComputedStyle(part).fontSize) * zoom];
        }),
      ),
    );
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10);

  const { x, y } = await emptyPlace(page);
  await page.keyboard.down('Shift');
  await drag(page, { x, y }, { x: x + 500, y: y + 500 });
  await page.keyboard.up('Shift');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  await expect(selected(page)).not.toHaveCount(0);
});

test('a name with a character that nobody sees is marked on the canvas, in the outline and in the inspector @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({
    'agent-cards/lead.md': card('lead', 'default: true\nagents: ["pa\\u200byer"]\n'),
    'agent-cards/payer.md': card('"pa\\u200byer"'),
  });
  const marked = 'paU+200Byer';
  await expect(node(page, 'agent:pa\u200byer')).toContainText(marked);
  await expect(page.getByRole('treeitem').filter({ hasText: marked }).first()).toBeVisible();
  await node(page, 'agent:lead').click();
  await expect(page.getByRole('button', { name: 'pa U+200B yer' })).toBeVisible();
});

test('Tidy places all nodes anew in one step, and shows them', async ({ page, stage }) => {
  await graph(page).getByRole('button', { name: 'Tidy', exact: true }).click();
  await expect(said(page)).toHaveText('Tidy');
  await stage.idle();
  const places = (await saved(page, stage))['callboard.yaml'];
  expect(places).not.toBe(settings);
  const frame = await graph(page).boundingBox();
  for (const box of await graph(page).locator('.react-flow__node').all()) {
    const { x = 0, y = 0, width = 0, height = 0 } = (await box.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(frame?.x ?? 0);
    expect(y).toBeGreaterThanOrEqual(frame?.y ?? 0);
    expect(x + width).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
    expect(y + height).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
  }

  await page.keyboard.press('ControlOrMeta+z');
  expect((await saved(page, stage))['callboard.yaml']).toBe(settings);
});
