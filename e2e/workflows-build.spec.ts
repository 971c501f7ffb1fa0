import { createProject } from './api';
import { drawWire, dropFromPalette } from './canvas';
import { openEditor, pickModel, runFacts, runProject } from './pages';
import { expect, test } from './test';

test('a chain that was built by mouse runs from the editor @full', async ({ page, baseURL }) => {
  await openEditor(page, await createProject(baseURL ?? '', `build-${Date.now()}`, {}));
  await dropFromPalette(page, 'Chain', { x: 20, y: 220 }, 'flow');
  for (const [row, member] of ['draft', 'polish'].entries()) {
    await dropFromPalette(page, 'Agent', { x: 300, y: 60 + row * 140 }, member);
    await drawWire(page, 'agent:flow', `agent:${member}`);
  }
  await pickModel(page, page.getByRole('combobox', { name: 'Model', exact: true }).last(), 'passthrough');
  await runProject(page, 'A line to hand on');
  await expect(runFacts(page).locator('..')).toContainText('Completed');
  await expect(page.getByRole('tree', { name: 'Instances' })).toContainText(/flow.*draft\[1\].*polish\[1\]/s);
});
