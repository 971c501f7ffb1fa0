import type { Page } from '@playwright/test';
import { middleOf, node } from '@/e2e/canvas';
import { graph, showPanel } from '@/e2e/pages';
import { expect, test } from '../stage';

/** The parts of the editor: F6 moves between them, and on a phone the canvas is as it was left. */

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
  'agent-cards/kid.md': '---\ntype: agent\nname: kid\n---\nHelp.\n',
};

/** The part that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? 'none');
const said = (page: Page) => page.locator('[data-announcer]');

test('F6 goes round the parts that are open, and back to where the focus was', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').click();
  await expect.poll(() => focused(page)).toBe('canvas');
  for (const region of ['inspector', 'dock', 'outline', 'canvas']) {
    await page.keyboard.press('F6');
    await expect.poll(() => focused(page)).toBe(region);
    await expect(said(page)).toContainText(region, { ignoreCase: true });
  }
  await expect(node(page, 'agent:kid')).toBeFocused();
  const field = page.getByRole('textbox', { name: 'Description' });
  await field.focus();
  await page.keyboard.press('Shift+F6');
  await expect.poll(() => focused(page)).toBe('canvas');
  await page.keyboard.press('F6');
  await expect(field).toBeFocused();

  await page.getByRole('separator', { name: 'Resize Dock' }).dblclick();
  await field.focus();
  await page.keyboard.press('F6');
  await expect.poll(() => focused(page)).toBe('outline');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the canvas is as it was left, and F6 shows the next part', async ({ page, stage }) => {
    await stage.openEditor(files);
    await node(page, 'agent:lead').click();
    const viewport = graph(page).locator('.react-flow__viewport');
    const home = await viewport.getAttribute('style');
    await page.mouse.move(195, 600);
    await page.mouse.wheel(0, 300);
    await expect(viewport).not.toHaveAttribute('style', home ?? '');
    const left = await viewport.getAttribute('style');
    await showPanel(page, 'Inspector');
    await expect(graph(page)).toHaveCount(0);
    await showPanel(page, 'Canvas');
    await expect(viewport).toHaveAttribute('style', left ?? '');

    await showPanel(page, 'Outline');
    await page.getByRole('treeitem', { name: /kid/ }).first().click();
    await showPanel(page, 'Canvas');
    const box = await middleOf(node(page, 'agent:kid'));
    expect(box.x > 0 && box.x < 390).toBe(true);

    await page.keyboard.press('F6');
    await expect(page.getByRole('tab', { name: 'Properties' })).toBeFocused();
    await page.keyboard.press('Shift+F6');
    await expect(graph(page)).toBeVisible();
  });
});
