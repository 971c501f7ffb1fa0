import type { Locator, Page } from '@playwright/test';
import { middleOf, node } from '@/e2e/canvas';
import { graph } from '@/e2e/pages';
import { expect, test } from '../stage';

/** What is selected looks like nothing else, from near and from far away. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;
const files = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid'),
  'agent-cards/pal.md': card('pal'),
  'callboard.yaml': `version: 1
canvas:
  positions:
    agent:lead: { x: 0, y: 0 }
    agent:kid: { x: 400, y: 0 }
    agent:pal: { x: 400, y: 200 }
`,
};

const rings = (page: Page) => graph(page).locator('.cb-ring');
const face = (page: Page, id: string) => node(page, id).locator('.cb-card');

for (const colorScheme of ['light', 'dark'] as const) {
  test(`only the selected node has a ring, and a neighbour is tinted (${colorScheme}) @full`, async ({
    page,
    stage,
  }) => {
    await page.emulateMedia({ colorScheme });
    await stage.openEditor(files);
    await node(page, 'agent:lead').click();
    await expect(rings(page)).toHaveCount(1);
    await expect(node(page, 'agent:lead').locator('.cb-ring')).toHaveCSS('border-top-color', await accent(page));
    expect(await ringPx(page)).toBeGreaterThanOrEqual(2.4);

    await page.mouse.move(0, 0);
    const [kid, pal] = [await look(face(page, 'agent:kid')), await look(face(page, 'agent:pal'))];
    expect(kid.border, 'the border of a neighbour').toBe(pal.border);
    expect(kid.background, 'the ground of a neighbour').not.toBe(pal.background);
  });
}

test('from far away the ring of the selected node is as wide on the screen as from near @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  await node(page, 'agent:lead').click();
  const { x, y } = await middleOf(graph(page));
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 3_000);
  await expect.poll(async () => (await node(page, 'agent:lead').boundingBox())?.width).toBeLessThan(30);
  await stage.idle();
  await expect(rings(page)).toHaveCount(1);
  expect(await ringPx(page)).toBeGreaterThanOrEqual(2.4);
});

/** Returns the width of the ring on the screen. */
async function ringPx(page: Page): Promise<number> {
  const [inner, outer] = [await node(page, 'agent:lead').boundingBox(), await rings(page).boundingBox()];
  return ((outer?.width ?? 0) - (inner?.width ?? 0)) / 2;
}

function look(target: Locator) {
  return target.evaluate((element) => {
    const { borderTopColor: border, backgroundColor: background } = getComputedStyle(element);
    return { border, background };
  });
}

/** Returns the accent colour of the theme, as the browser computes it. */
function accent(page: Page): Promise<string> {
  return page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--accent)';
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
}
