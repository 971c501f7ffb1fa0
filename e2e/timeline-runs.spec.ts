import { readFile } from 'node:fs/promises';
import { startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, freshProject, test } from './test';
import { signedIn } from './test-token';

const folder = {
  'agent-cards/lead.md': '---\nname: lead\nmodel: script\nagents: [finder]\n---\nAsk.\n',
  'agent-cards/finder.md': '---\nname: finder\nmodel: script\n---\nFind.\n',
  'agent-cards/slow.md': '---\nname: slow\nmodel: script\n---\nTake your time.\n',
  'callboard.yaml': [
    'version: 1',
    'scripts:',
    '  lead:',
    '    - turns: [{ calls: [{ tool: agent__finder, arguments: { message: Look } }] }, { text: All done }]',
    '  finder:',
    '    - turns: [{ text: A rare walnut was found }]',
    '  slow:',
    '    - turns: [{ text: Done, delay_ms: 60000 }]',
    '',
  ].join('\n'),
};
const project = freshProject('Filtered runs', folder);

async function startAgent(url: string, data: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(`${url}/api/v1/projects/${project()}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedIn },
    body: JSON.stringify(data),
  });
  return (await answer.json()).runId;
}

test('a filter is written by keyboard, is in the address, and is saved under a name @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  expect(await waitForEnd(url, await startAgent(url, { message: 'First errand', agent: 'lead' }))).toBe('completed');
  expect(await waitForEnd(url, await startAgent(url, { message: 'Second errand', agent: 'finder' }))).toBe('completed');
  expect(await waitForEnd(url, await startAgent(url, { message: 'Nobody', agent: 'missing' }))).toBe('failed');
  await page.goto(`/runs?project=${project()}`);
  await expect(page.getByText('3 groups', { exact: true })).toBeVisible();

  const input = page.getByRole('search').getByRole('combobox');
  await input.focus();
  await page.keyboard.type('tool');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('finder');
  await expect(page.getByRole('option', { name: 'agent__finder' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 group', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/tool=agent__finder/);
  await expect(page.getByRole('link', { name: /First errand/ })).toBeVisible();

  // A text that only a result has is typed without a field.
  await page.keyboard.type('walnut');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/text=walnut/);
  await expect(page.getByText('1 group', { exact: true })).toBeVisible();
  await page.keyboard.type('dur');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('soon');
  await expect(page.getByText('Write a time such as 500ms')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1h');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No run matches')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('1 group', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('menuitem', { name: 'Save this filter…' }).click();
  await page.getByLabel('Name').fill('Walnuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Walnuts' })).toBeVisible();
  await page.goto('/runs');
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('menuitem', { name: 'Walnuts' }).click();
  await expect(page).toHaveURL(/text=walnut/);
  await page.getByRole('button', { name: 'Walnuts' }).click();
  await page.getByRole('menuitem', { name: 'Delete saved filters…' }).click();
  await page.getByRole('button', { name: 'Delete the filter Walnuts' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.goto('/runs?duration=5s');
  await expect(page.getByText('duration: Write duration.gt or duration.lt.')).toBeVisible();
});

test('the chart limits the list, and the list is exported @full', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  await waitForEnd(url, await startAgent(url, { message: 'One, "quoted"', agent: 'finder' }));
  await waitForEnd(url, await startAgent(url, { message: 'Nobody', agent: 'missing' }));
  await page.goto(`/runs?project=${project()}`);
  const chart = page.getByRole('figure', { name: 'Runs over time' });
  await chart.getByText('Show as table').click();
  await expect(chart.getByRole('row').nth(1)).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await chart
    .getByRole('button', { name: /run.*Show only these/ })
    .last()
    .focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/time\.after=.*time\.before=/);
  await expect(page.getByRole('search').getByText('after')).toBeVisible();
  await expect(page.getByRole('link', { name: /missing/ }).first()).toBeVisible();

  await page.goto(`/runs?project=${project()}&status=completed&text=quoted`);
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'All that match, as CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"One, ""quoted"""');
});

test('runs are selected and deleted, an active one after it was stopped', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  await page.goto(`/runs?project=${project()}&text=Errand+of`);
  await expect(page.getByText('No run matches')).toBeVisible();
  for (const name of ['a', 'b', 'c']) {
    await waitForEnd(url, await startAgent(url, { message: `Errand of ${name}`, agent: 'finder' }));
  }
  // The open list takes in new runs by itself.
  await expect(page.getByText('3 groups', { exact: true })).toBeVisible();
  await startAgent(url, { message: 'Errand of the slow', agent: 'slow' });
  await expect(page.getByRole('link', { name: /Running.*Errand of the slow/ })).toBeVisible();

  await page.getByRole('checkbox', { name: /Errand of c/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('link', { name: /Errand of b/ }).click({ modifiers: ['Shift'] });
  await expect(page.getByText('2 runs selected')).toBeVisible();
  await page.getByRole('button', { name: 'Delete selected…' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Delete 2 runs?' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('2 runs deleted.')).toBeVisible();
  await expect(page.getByText('2 groups', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('2 runs restored.')).toBeVisible();
  await expect(page.getByText('4 groups', { exact: true })).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select all listed runs' }).click();
  await page.getByRole('button', { name: 'Delete all that match…' }).click();
  await expect(page.getByText('1 of them is still active. They are stopped first.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No run matches')).toBeVisible();
});

test('a deleted run is in the bin, comes back as it was, and goes for good when somebody says so @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const id = await startAgent(url, { message: 'Errand for the bin', agent: 'finder' });
  await waitForEnd(url, id);
  await page.goto(`/runs?project=${project()}&text=for+the+bin`);
  const listed = page.getByRole('link', { name: /Errand for the bin/ });
  const remove = async () => {
    await page.getByRole('checkbox', { name: /Errand for the bin/ }).click();
    await page.getByRole('button', { name: 'Delete selected…' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('No run matches')).toBeVisible();
  };
  await remove();
  expect((await page.request.get(`${url}/api/v1/runs/${id}/events`)).status()).toBe(404);

  await page.getByRole('link', { name: 'Bin', exact: true }).click();
  const deletion = page.getByRole('listitem', { name: '1 run deleted' }).filter({ hasText: 'Errand for the bin' });
  await expect(deletion).toContainText('goes for good at');
  expect(await seriousFaults(page)).toEqual([]);
  await deletion.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('1 run restored.')).toBeVisible();
  await expect(deletion).toBeHidden();

  await page.goto(`/runs?project=${project()}&text=for+the+bin`);
  await listed.click();
  await expect(page).toHaveURL(new RegExp(`/r/${id}`));
  expect((await page.request.get(`${url}/api/v1/runs/${id}/events`)).status()).toBe(200);

  await page.goto(`/runs?project=${project()}&text=for+the+bin`);
  await remove();
  await page.goto('/runs/bin');
  await deletion.getByRole('button', { name: 'Delete now…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete now' }).click();
  await expect(page.getByText('1 run deleted for good.')).toBeVisible();
  await expect(deletion).toBeHidden();
});

test('a rule of retention says what it deletes before it is saved @full', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  await waitForEnd(url, await startRun(url, project(), 'Kept'));
  await page.goto('/settings/retention');
  const section = page.getByRole('region', { name: 'Retention' });
  await section.getByRole('button', { name: 'Rule for a project…' }).click();
  await section.getByRole('textbox', { name: 'Project by name' }).fill('Filtered');
  await section.getByRole('button', { name: 'Filtered runs' }).click();
  const rule = section.getByRole('form', { name: 'Retention: Filtered runs' });
  await rule.getByLabel('Days to keep runs').fill('30');
  await rule.getByRole('button', { name: 'Save' }).click();
  await expect(rule.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(await seriousFaults(page)).toEqual([]);
  await rule.getByRole('button', { name: 'Remove rule' }).click();
  await expect(rule).toBeHidden();
});

test('nothing of a run is cut at 320 pixels @full', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  await waitForEnd(url, await startAgent(url, { message: 'Nobody', agent: 'missing' }));
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/runs?project=${project()}`);
  const row = page.getByRole('link', { name: /Failed/ }).first();
  const badge = row.getByText('Failed', { exact: true });
  await expect(badge).toBeVisible();
  expect(await badge.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(sideways).toBe(false);
});
