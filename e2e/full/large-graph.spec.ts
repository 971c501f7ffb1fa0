import type { Page } from '@playwright/test';
import { createProject } from '../api';
import { middleOf, node, selected, wires } from '../canvas';
import { graph, openEditor, showWholeGraph } from '../pages';
import { expect, test } from '../test';

const count = 200;
const card = (name: string, fields: string) => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;

/** Makes a project of many agents in rows, and one far left of them, whose long wire crosses nothing. */
async function openLarge(page: Page, baseURL: string | undefined): Promise<void> {
  const indices = Array.from({ length: count }, (_, index) => index);
  const places = indices.map(
    (index) => `    agent:a-${index}: {x: ${(index % 20) * 400}, y: ${Math.floor(index / 20) * 320}}`,
  );
  const project = await createProject(baseURL ?? '', `large-${Date.now()}`, {
    'agent-cards/lead.md': card('lead', 'default: true\ndescription: Leads.\nagents: [a-0]\n'),
    ...Object.fromEntries(
      indices.map((index) => [
        `agent-cards/a-${index}.md`,
        card(`a-${index}`, index + 1 < count ? `agents: [a-${index + 1}]\n` : ''),
      ]),
    ),
    'callboard.yaml': `version: 1\ncanvas:\n  positions:\n    agent:lead: {x: -4000, y: 0}\n${places.join('\n')}\n`,
  });
  await openEditor(page, project);
}

/** Remembers inside which nodes and rows of the outline something changes from now on. */
async function watch(page: Page): Promise<() => Promise<readonly string[]>> {
  const seen = await page.evaluateHandle(() => {
    const touched = new Set<string>();
    new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const inside = element?.closest('.react-flow__node, [role="treeitem"]');
        const name = inside?.getAttribute('data-id') ?? inside?.getAttribute('data-key');
        if (name) touched.add(name);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    return touched;
  });
  return () => seen.evaluate((touched) => [...touched].sort());
}

test('wires of a large graph are one picture from far away, and are still picked there', async ({ page, baseURL }) => {
  test.skip((page.viewportSize()?.width ?? 0) < 800, 'a phone shows one panel at a time');
  await openLarge(page, baseURL);
  await showWholeGraph(page);
  await expect(graph(page).locator('.react-flow__node')).toHaveCount(count + 1);
  await expect(wires(page)).toHaveCount(0);

  const [lead, first] = [await middleOf(node(page, 'agent:lead')), await middleOf(node(page, 'agent:a-0'))];
  const middle = { x: (lead.x + first.x) / 2, y: (lead.y + first.y) / 2 };
  await page.mouse.click(middle.x, middle.y);
  await expect(wires(page)).toHaveCount(1);
  await expect(graph(page).locator('.react-flow__edge.selected')).toHaveAttribute(
    'data-id',
    'delegation:agent:lead→agent:a-0',
  );
  await page.keyboard.press('Escape');
  await expect(wires(page)).toHaveCount(0);
  await page.mouse.click(middle.x, middle.y, { button: 'right' });
  await expect(page.getByRole('menuitem', { name: /Remove edge/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await node(page, 'agent:lead').click();
  await expect(selected(page)).toHaveAttribute('data-id', 'agent:lead');

  const widthOf = async () => (await node(page, 'agent:lead').boundingBox())?.width ?? 0;
  const before = await widthOf();
  const touched = await watch(page);
  // Round the node itself, so that it stays in view.
  await page.mouse.move(lead.x, lead.y);
  await page.mouse.wheel(0, -60);
  await expect.poll(widthOf).toBeGreaterThan(before);
  expect(await touched()).toEqual([]);
});

test('a key typed in a card touches its node, and no other node and no row of the outline', async ({
  page,
  baseURL,
}) => {
  test.skip((page.viewportSize()?.width ?? 0) < 800, 'a phone shows one panel at a time');
  await openLarge(page, baseURL);
  await node(page, 'agent:lead').click();
  const field = page.getByRole('textbox', { name: 'Description', exact: true });
  await field.click();
  await page.keyboard.press('End');
  const touched = await watch(page);
  await page.keyboard.type('All');
  await expect(node(page, 'agent:lead').locator('.cb-description')).toHaveText('Leads.All');
  expect(await touched()).toEqual(['agent:lead']);
});

test('a long outline has the rows in view alone, and keys reach its last row and its first', async ({
  page,
  baseURL,
}) => {
  test.skip((page.viewportSize()?.width ?? 0) < 800, 'a phone shows one panel at a time');
  await openLarge(page, baseURL);
  const rows = page.getByRole('tree', { name: 'Outline' }).getByRole('treeitem');
  const row = (name: string) => rows.and(page.locator(`[data-key$="agent:${name}"]`));
  await expect(row(`a-${count - 1}`)).toHaveCount(0);
  await row('lead').click();
  await page.keyboard.press('End');
  await expect(row(`a-${count - 1}`)).toBeFocused();
  await expect(row(`a-${count - 1}`)).toBeInViewport();
  // The rows around it follow the scrolling.
  await expect(row(`a-${count - 2}`)).toBeInViewport();
  await expect(row('a-0')).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(row(`a-${count - 2}`)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(row('lead')).toBeFocused();
  await expect(row('a-0')).toBeInViewport();

  // The row of the tab order stays in the page, and keeps the focus, while others are scrolled to.
  await row('lead').hover();
  await page.mouse.wheel(0, 10_000);
  await expect(row(`a-${count - 1}`)).toBeInViewport();
  await expect(row('lead')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(row('a-0')).toBeFocused();
  await expect(row('a-0')).toBeInViewport();
});
