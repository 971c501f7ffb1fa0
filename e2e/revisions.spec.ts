import { createProject, startRun, waitForEnd, writeFiles } from './api';
import { graph, openEditor, save, seriousFaults, showPanel } from './pages';
import { expect, test } from './test';

/** One person drafts, publishes, rolls back, and is held to a rule. Nobody has an account here. */

const files = {
  'agent-cards/writer.md':
    '---\nname: writer\ndefault: true\nmodel: passthrough\nfunction_tools: [../tools.ts:send]\n---\nWrite.\n',
  'tools.ts': 'export function send() {\n  return "sent";\n}\n',
};

test('a draft is published in two clicks, live stays while the draft changes, and one action rolls back', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Published', files);
  await openEditor(page, project);
  await page.locator('header').getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this project' });
  await expect(dialog.getByText('The files have no errors.')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Revision 1 is live.')).toBeVisible();

  await showPanel(page, 'Canvas');
  await graph(page).getByText('writer', { exact: true }).first().click();
  await showPanel(page, 'Inspector');
  await page.getByRole('textbox', { name: /^Instruction/ }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('Write twice.');
  await save(page);
  const run = await startRun(url, project, 'Go');
  expect(await waitForEnd(url, run)).toBe('completed');
  await page.goto(`/r/${run}`);
  await expect(page.getByRole('link', { name: /revision 1/i }).first()).toBeVisible();

  await page.goto(`/p/${project}/revisions`);
  const live = page.getByRole('region', { name: 'Live' });
  await expect(live).toContainText('Revision 1 is live');
  await live.getByRole('button', { name: 'Publish draft' }).click();
  const second = page.getByRole('dialog', { name: 'Publish this project' });
  await second.getByLabel('Note').fill('Twice');
  await second.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(live).toContainText('Revision 2 is live');
  await page.getByRole('button', { name: 'Compare revision 2' }).click();
  await expect(page.getByText('Write twice.').first()).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  await live.getByRole('button', { name: 'Roll back' }).click();
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /^Roll back/ })
    .click();
  await expect(live).toContainText('Revision 1 is live');
});

test('a rule about a hook blocks publishing and a run, and says what to change @full', async ({ page, baseURL }) => {
  const project = await createProject(baseURL ?? '', 'Ruled', files);
  await page.goto(`/settings/policy?project=${project}`);
  await page.getByRole('button', { name: 'New rule' }).click();
  const form = page.getByRole('dialog', { name: 'New rule' });
  await form.getByLabel('Name').fill('Sends are guarded');
  await form.getByLabel('Hook', { exact: true }).fill('guard.ts:guard');
  await form.getByLabel('Tools', { exact: true }).fill('send');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Store' }).click();
  await expect(page.getByRole('list', { name: 'Rules' })).toContainText('Sends are guarded');
  await expect(page.getByRole('region', { name: 'Broken in the draft' })).toContainText(
    "a call of 'send' does not go through the hook guard.ts:guard",
  );
  expect(await seriousFaults(page)).toEqual([]);

  await openEditor(page, project);
  await page.locator('header').getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this project' });
  await expect(dialog).toContainText("The rule 'Sends are guarded' of your team is broken");
  // Whoever may set the rule publishes past it with a reason. Runs meet it nevertheless.
  const nevertheless = dialog.getByRole('button', { name: 'Publish nevertheless' });
  await expect(nevertheless).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Reason to go on nevertheless').fill('The rule changes tomorrow');
  await nevertheless.click();
  await expect(dialog).toBeHidden();

  const run = await startRun(baseURL ?? '', project, 'Go');
  expect(await waitForEnd(baseURL ?? '', run)).toBe('failed');
  await page.goto(`/r/${run}`);
  await expect(page.getByText(/The rule 'Sends are guarded' of your team is broken/).first()).toBeVisible();
});

test('a revision is promoted to a label, and a check that failed is overridden with a reason @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Promoted', files);
  await page.goto(`/p/${project}/revisions`);
  await page.getByRole('button', { name: 'Save as revision: main draft' }).click();
  await page.getByRole('button', { name: 'More for revision 1' }).click();
  await page.getByRole('menuitem', { name: 'Promote to a label' }).click();
  const promote = page.getByRole('dialog', { name: 'Promote revision 1' });
  await promote.getByLabel('Label').fill('staging');
  await promote.getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(page.getByRole('listitem', { name: 'Revision 1' })).toContainText('staging');
  const run = await startRun(url, project, 'Go', { label: 'staging' });
  expect(await waitForEnd(url, run)).toBe('completed');
  await page.goto(`/r/${run}`);
  await expect(page.getByRole('link', { name: /revision 1 · staging/i }).first()).toBeVisible();

  await writeFiles(url, project, { ...files, 'agent-cards/broken.md': '---\nname: broken\nagents: [nobody]\n---\n' });
  await page.goto(`/p/${project}/revisions`);
  await page.getByRole('region', { name: 'Live' }).getByRole('button', { name: 'Publish draft' }).click();
  const publish = page.getByRole('dialog', { name: 'Publish this project' });
  const anyway = publish.getByRole('button', { name: 'Publish nevertheless' });
  await expect(anyway).toHaveAttribute('aria-disabled', 'true');
  await publish.getByLabel('Reason to go on nevertheless').fill('The demo is in an hour.');
  expect(await seriousFaults(page)).toEqual([]);
  await anyway.click();
  await expect(page.getByRole('region', { name: 'Live' })).toContainText('Revision 2 is live');
  const history = page.getByRole('list', { name: 'History of labels' }).getByRole('listitem').first();
  await expect(history).toContainText('The demo is in an hour.');
  await expect(history).toContainText('past the checks');
});
