import { createProject } from './api';
import { graph, lanes, openEditor, openRun, runFacts, runProject, seriousFaults } from './pages';
import { expect, test } from './test';

test('without a key, the dialog says who answers, and takes a key @full', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await expect(dialog).toContainText('No key of a model provider is set');
  await dialog.getByRole('button', { name: 'Set key…' }).click();
  const key = page.getByRole('dialog', { name: 'Set a key' });
  await expect(key.getByLabel('Key', { exact: true })).toBeFocused();
  await expect(key.getByRole('combobox', { name: 'Provider' })).toHaveText('OpenAI');
  await page.keyboard.press('Escape');
  await expect(key).toBeHidden();
  await expect(dialog).toBeVisible();
});

test('the instruction is edited wide, and the surface shows it as a recorded instance saw it @full', async ({
  page,
  baseURL,
}) => {
  const project = await createProject(baseURL ?? '', `surface-${Date.now()}`, {
    'agent-cards/lead.md':
      '---\nname: lead\ndefault: true\nmodel: passthrough\nhuman_input: true\n---\nYou are {{agentName}}.\n',
    'rules.md': 'Be kind.',
  });
  await openEditor(page, project);
  await graph(page).getByText('lead', { exact: true }).click();
  await page.getByRole('button', { name: 'Edit wide' }).click();
  const dialog = page.getByRole('dialog', { name: 'Instruction of lead' });
  const editor = dialog.getByRole('textbox', { name: 'Instruction of lead' });
  await expect(editor).toBeFocused();
  await page.keyboard.type(' {{file');
  await page.getByRole('option', { name: /^file:/ }).click();
  await page.getByRole('option', { name: 'rules.md' }).click();
  await expect(dialog.getByRole('region', { name: 'As the model reads it' })).toContainText('You are lead. Be kind.');
  await page.keyboard.type(' {{nobody}}');
  await expect(dialog.getByRole('list', { name: 'Issues of the instruction' })).toContainText('Nothing fills in');
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await runProject(page, 'Hello');
  await openRun(page);
  await expect(runFacts(page)).toContainText('Completed');
  await lanes(page).getByText('lead', { exact: true }).click();
  await page.getByRole('link', { name: 'What the model saw' }).click();
  await expect(page.getByRole('radio', { name: 'As an instance saw it' })).toBeChecked();
  await expect(page.getByRole('list', { name: 'Tools, in order' })).toContainText('__human_input');
  await expect(page.getByRole('region', { name: 'Final instruction' })).toContainText('You are lead. Be kind.');
  expect(await seriousFaults(page)).toEqual([]);
});
