import { createProject, exampleFiles } from './api';
import { openEditor, openRun, runProject } from './pages';
import { expect, test } from './test';

const said = '1 server did not start';

test('a copied example whose server is gone says so in the editor and in the header of its run @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const { 'servers/tm.mjs': gone, ...copied } = exampleFiles('city-times');
  expect(gone).toBeDefined();
  const project = await createProject(url, 'Two cities without their server', copied);
  await openEditor(page, project);
  await runProject(page, 'What time is it?');
  await expect(page.getByText(said, { exact: true })).toBeVisible();
  await expect(page.getByText(/Server 'tm' did not start: .*Cannot find module/).first()).toBeVisible();
  await openRun(page);
  const header = page.locator('header');
  await expect(header.getByText('Completed', { exact: true })).toBeVisible();
  await expect(header.getByText(said, { exact: true })).toBeVisible();
});
