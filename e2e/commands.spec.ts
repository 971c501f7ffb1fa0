import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { type AppProcess, startApp } from './app-process';
import { openEditor, runFacts, runProject, seriousFaults } from './pages';
import { accept, invite, makeProject, newPerson, setUp, withAccounts } from './people';
import { expect, test } from './test';

/** Two people with accounts: one may start runs, the other decides what runs may start. */

test.describe.configure({ mode: 'serial' });

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-commands-'));
const mark = path.join(folder, 'mark');
const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\nservers: [marker]\n---\nLead.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    marker:\n      command: node\n      args: [start.mjs]\n',
  'start.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, 'started');\n`,
};

let app: AppProcess;

test.beforeAll(async () => {
  app = await startApp(withAccounts);
});

test.afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true });
});

test('a run with a new command is refused, the runner asks, an administrator approves, and it runs @full', async ({
  browser,
}) => {
  const ada = await newPerson(browser, app.url);
  await setUp(ada, app, 'Ada');
  const project = await makeProject(ada, 'Marked', files);
  await confirm(ada, project);
  await ada.goto(`/p/${project}/members`);
  const ro = await newPerson(browser, app.url);
  await accept(ro, await invite(ada, 'Ro', 'runner'), 'Ro');

  await openEditor(ro, project);
  await pressRun(ro);
  const dialog = ro.getByRole('dialog', { name: 'This needs an administrator' });
  const asked = dialog.getByRole('region', { name: 'Needs an administrator' });
  await expect(asked).toContainText('Server marker');
  await expect(asked).toContainText('Not approved');
  expect(await seriousFaults(ro)).toEqual([]);
  await dialog.getByRole('button', { name: 'Ask an administrator' }).click();
  await expect(asked).toContainText('Asked by ro@example.org');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(existsSync(mark)).toBe(false);

  // Asking changes nothing: the next try is refused as well.
  await pressRun(ro);
  await expect(asked).toContainText('Asked by ro@example.org');
  await expect(dialog.getByRole('button', { name: 'Ask an administrator' })).toBeHidden();
  await ro.keyboard.press('Escape');
  await ro.goto('/settings/commands');
  await expect(ro.getByText(/^You may not /)).toBeVisible();
  await expect(ro.getByRole('button', { name: /^Approve/ })).toHaveCount(0);

  await ada.goto('/settings/commands');
  const waiting = ada.getByRole('region', { name: 'Waiting for a decision' });
  const command = ada.getByRole('listitem', { name: 'Server marker' });
  await expect(waiting.getByRole('list', { name: 'Program and arguments' }).getByRole('listitem')).toHaveText([
    'node',
    'start.mjs',
  ]);
  await expect(command).toContainText("Marked: agent 'lead', asked by ro@example.org");
  await command.getByText('Files it may load: 1').click();
  await command.getByRole('button', { name: 'start.mjs' }).click();
  await expect(command.getByRole('region', { name: 'Text of start.mjs' })).toContainText('writeFileSync');
  expect(await seriousFaults(ada)).toEqual([]);
  expect(existsSync(mark)).toBe(false);
  await command.getByRole('button', { name: 'Approve Server marker' }).click();
  await expect(ada.getByRole('region', { name: 'Decided' })).toContainText('Approved');
  await expect(waiting).toBeHidden();
  expect(await seriousFaults(ada)).toEqual([]);

  await openEditor(ro, project);
  await runProject(ro, 'Go');
  await expect(runFacts(ro)).toContainText('Completed');
  expect(existsSync(mark)).toBe(true);
  await Promise.all([ada, ro].map((page) => page.context().close()));
});

/** Confirms what a project starts, which approves none of it, as a script of the page. */
async function confirm(page: Page, project: string): Promise<void> {
  const status = await page.evaluate(async (address) => {
    const { hash } = await (await fetch(address)).json();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ hash }) });
    return answer.status;
  }, `/api/v1/projects/${project}/trust`);
  expect(status).toBe(200);
}

/** Presses Run and waits until the run is refused. */
async function pressRun(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go');
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}
