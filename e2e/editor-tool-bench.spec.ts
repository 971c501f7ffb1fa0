import { createProject, exampleFiles, startRun, waitForEnd } from './api';
import { node } from './canvas';
import { openProject, seriousFaults, showPanel, showWholeGraph } from './pages';
import { expect, test } from './test';

test('a tool of a server is tried once it was tested, and a function with a call of a run', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const name = `tools-${Date.now()}`;
  const project = await createProject(url, name, exampleFiles('tool-kinds'));
  await waitForEnd(url, await startRun(url, project, 'Reserve chairs'));
  await openProject(page, name);
  await showWholeGraph(page);
  await node(page, 'server:time').click();
  await showPanel(page, 'Inspector');
  await page.getByRole('button', { name: 'Test time' }).click();
  await page.getByText('2 tools', { exact: true }).click();
  await page.getByRole('button', { name: 'Try get_time…' }).click();
  const server = page.getByRole('dialog', { name: 'Try time__get_time' });
  const answer = page.getByRole('region', { name: 'What the tool answered' });
  await server.getByRole('textbox', { name: 'timezone' }).fill('Asia/Tokyo');
  await server.getByRole('button', { name: 'Call tool' }).click();
  await expect(answer).toContainText('Answered');
  await expect(answer).toContainText(/\d\d:\d\d/);
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await node(page, 'function:stock.ts:reserve').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Try…' }).click();
  const code = page.getByRole('dialog', { name: 'Try reserve' });
  await expect(code.getByLabel('pieces')).toBeVisible();
  await code.getByRole('button', { name: 'Take a recorded call…' }).click();
  await code.getByRole('list', { name: 'Calls' }).getByRole('button').first().click();
  await expect(code.getByLabel('pieces')).toHaveValue('3');
  await code.getByRole('button', { name: 'Call tool' }).click();
  await expect(answer).toContainText('The tool answered with an error');
  await expect(answer).toContainText('Only 0 of chair left.');
  // What does not fit is said at its field, by the schema of the code.
  await code.getByLabel('pieces').fill('"few"');
  await code.getByRole('button', { name: 'Call tool' }).click();
  await expect(code.getByText('must be number', { exact: true })).toBeVisible();
});
