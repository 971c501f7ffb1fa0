import type { Page } from '@playwright/test';
import { createProject } from '../api';
import { openEditor, seriousFaults } from '../pages';
import { expect, test } from '../test';
import { editorPanels, panelFiles } from './editor-panels';

/** Panels that look different on a phone. Each can be opened after the one before it. */
const onPhone = new Set(
  'canvas outline agent surface card chain server server-missing note wire-delegation wire-server dock-run dock-problems dock-files export export-fast-agent code'.split(
    ' ',
  ),
);

test.describe('on a phone, in the dark', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

  test('panels are free of serious faults, and no row of tabs is cut', async ({ page, baseURL }, info) => {
    const project = await createProject(baseURL ?? '', `phone-${info.testId}-${Date.now()}`, panelFiles);
    await openEditor(page, project);
    const faults: Record<string, readonly string[]> = {};
    for (const { name, open } of editorPanels.filter((panel) => onPhone.has(panel.name))) {
      await test.step(name, async () => {
        await open(page);
        const found = [...(await seriousFaults(page)), ...(await cutTabs(page))];
        if (found.length > 0) faults[name] = found;
      });
    }
    expect(faults).toEqual({});
  });
});

/** Returns the rows of tabs that are wider than their place. */
async function cutTabs(page: Page): Promise<string[]> {
  return await page
    .getByRole('tablist')
    .evaluateAll((lists) =>
      lists
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((list) => `cut: ${list.getAttribute('aria-label')}`),
    );
}

test('every panel of the editor is free of serious faults', async ({ page, baseURL }, info) => {
  const project = await createProject(baseURL ?? '', `panels-${info.testId}-${Date.now()}`, panelFiles);
  await openEditor(page, project);
  const faults: Record<string, readonly string[]> = {};
  for (const { name, open, shows } of editorPanels) {
    await test.step(name, async () => {
      await open(page);
      // What stands beside an inspector is looked at with the other panels.
      const found = await seriousFaults(page, shows === 'inspector' ? 'section[aria-label="Inspector"]' : 'html');
      if (found.length > 0) faults[name] = found;
    });
  }
  expect(faults).toEqual({});
});
