import type { Page } from '@playwright/test';
import { middleOf, node } from '@/e2e/canvas';
import { graph } from '@/e2e/pages';
import { expect, test } from '../stage';

/** Going to a node, from the palette, the outline and the list of what was found. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;
const names = Array.from({ length: 60 }, (_, n) => `worker-${n + 1}`);
const files = {
  'lead.md': card('lead', `default: true\nagents: [${names.join(', ')}]\n`),
  ...Object.fromEntries(names.map((name) => [`${name}.md`, card(name)])),
};

const row = (page: Page, name: string) =>
  page.getByRole('tree', { name: 'Outline' }).getByRole('treeitem', { name: new RegExp(`^${name}\\b`) });

test.beforeEach(async ({ stage }) => {
  await stage.openEditor(files);
});

test('the palette goes to a node: it is centred, has a halo for a moment, and its row is in view', async ({
  page,
  stage,
}) => {
  await expect(row(page, 'worker-57')).not.toBeInViewport();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('worker-57');
  await stage.idle();
  await page.keyboard.press('Enter');
  await expectCentred(page, 'agent:worker-57');
  await expect(row(page, 'worker-57')).toBeInViewport();
  await expect(row(page, 'worker-57')).toHaveAttribute('aria-selected', 'true');
  await expect(halo(page, 'agent:worker-57')).toBeVisible();
  await stage.pass(3_000);
  await expect(halo(page, 'agent:worker-57')).toHaveCount(0);
});

test('Find and the outline go to a node, also below a closed row @full', async ({ page, stage }) => {
  await row(page, 'lead').press('ArrowLeft');
  await expect(row(page, 'worker-58')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('worker-58');
  await stage.idle();
  await page.keyboard.press('Enter');
  await expectCentred(page, 'agent:worker-58');
  await expect(row(page, 'worker-58')).toBeInViewport();

  await row(page, 'worker-60').click();
  await expectCentred(page, 'agent:worker-60');
  await expect(halo(page, 'agent:worker-60')).toBeVisible();
});

test('with reduced motion the halo does not move @full', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await row(page, 'lead').click();
  await expect(halo(page, 'agent:lead')).toHaveCSS('animation-duration', '1e-05s');
});

function halo(page: Page, id: string) {
  return node(page, id).locator('.cb-halo');
}

async function expectCentred(page: Page, id: string): Promise<void> {
  await expect(node(page, id)).toHaveClass(/selected/);
  const [at, middle] = [await middleOf(node(page, id)), await middleOf(graph(page))];
  expect(Math.hypot(at.x - middle.x, at.y - middle.y)).toBeLessThan(3);
}
