import { createProject, startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

/** A run and a call of it get thumbs, values and notes, and the list of runs finds the run by them. */

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nfunction_tools: [../tools.ts:twice]\n---\nYou lead.\n',
  'tools.ts': 'export function twice(args: { x: number }) {\n  return args.x * 2;\n}\n',
  'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: twice, arguments: { x: 4 } }]
        - text: It is 9.
`,
};

test('a person scores a run and a call of it, and finds the run by its score @full', async ({
  page,
  baseURL,
  request,
}, info) => {
  const url = baseURL ?? '';
  const project = await createProject(url, `Scored ${info.project.name}`, files);
  const run = await startRun(url, project, 'What is 4 times 2?');
  expect(await waitForEnd(url, run)).toBe('completed');

  await page.goto(`/r/${run}`);
  const ofRun = page.getByRole('group', { name: 'Score of the run' });
  await ofRun.getByRole('button', { name: 'Bad' }).click();
  await expect(ofRun.getByRole('button', { name: 'Bad' })).toHaveAttribute('aria-pressed', 'true');
  await expect(ofRun.getByRole('button', { name: 'Score 0' })).toBeVisible();

  // By keyboard alone.
  await ofRun.getByRole('button', { name: 'Score 0' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Scores of the run' });
  await expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveValue('0');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('0.25');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('It is 8.\n<b>Not 9.</b>');
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('dialog.png') });
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(ofRun.getByRole('button', { name: 'Score 0.25' })).toBeFocused();
  await expect(page.getByRole('list', { name: 'Scores of the run' })).toContainText('It is 8.\n<b>Not 9.</b>');

  await page.getByRole('list', { name: 'Calls and results' }).getByText('twice').first().click();
  const ofCall = page.getByRole('group', { name: 'Score of the selection' });
  await ofCall.getByRole('button', { name: 'Good' }).click();
  await expect(ofCall.getByRole('button', { name: 'Score 1' })).toBeVisible();
  await ofCall.getByRole('button', { name: 'Good' }).click();
  await expect(ofCall.getByRole('button', { name: 'Score', exact: true })).toBeVisible();
  await ofCall.getByRole('button', { name: 'Good' }).click();
  // A page that is left at once takes a request that is under way with it.
  await expect(ofCall.getByRole('button', { name: 'Score 1' })).toBeVisible();

  const tone = await request.post(`${url}/api/v1/runs/${run}/scores`, { data: { name: 'tone', value: 0.75 } });
  expect(tone.status()).toBe(201);
  await page.reload();
  await expect(ofCall.getByRole('button', { name: 'Score 1' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Scores of the selection' })).toContainText('quality 1');
  await expect(ofRun.getByRole('button', { name: 'Score 0.5' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('run.png') });

  await page.goto(`/runs?project=${project}`);
  const row = page.getByRole('link', { name: /What is 4 times 2/ });
  await expect(row).toContainText('Score 0.5');
  const bar = page.getByRole('combobox', { name: 'Add a filter' });
  await bar.fill('score:quality>=0.3');
  await page.getByRole('option', { name: 'Score at least quality:0.3' }).click();
  await expect(page.getByText('No run matches')).toBeVisible();
  await expect(page).toHaveURL(/score\.min=quality%3A0\.3/);
  await page.getByRole('button', { name: /^Remove the filter Score/ }).click();
  await bar.fill('score:quality<0.3');
  await bar.press('Enter');
  await expect(page).toHaveURL(/score\.lt=quality%3A0\.3/);
  await expect(row).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('runs.png') });

  await page.goto(`/r/${run}`);
  await ofRun.getByRole('button', { name: 'Score 0.5' }).click();
  await dialog.getByRole('button', { name: 'Delete tone of local' }).click();
  await expect(dialog.getByRole('list', { name: 'Scores so far' }).getByRole('listitem')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ofRun.getByRole('button', { name: 'Score 0.25' })).toBeVisible();
});
