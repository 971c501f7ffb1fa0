import { createProject } from './api';
import { editorPanels, panelFiles } from './editor-panels';
import { openEditor, seriousFaults } from './pages';
import { expect, test } from './test';

test('every panel of the editor is free of serious faults', async ({ page, baseURL }, info) => {
  // It opens forty panels.
  test.slow();
  const project = await createProject(baseURL ?? '', `panels-${info.testId}-${Date.now()}`, panelFiles);
  await openEditor(page, project);
  const faults: Record<string, readonly string[]> = {};
  for (const { name, open } of editorPanels) {
    await test.step(name, async () => {
      await open(page);
      const found = await seriousFaults(page);
      if (found.length > 0) faults[name] = found;
    });
  }
  expect(faults).toEqual({});
});
