import type { Page } from '@playwright/test';
import { createProject, readRun, startRun, waitForEnd } from '../api';
import { graph, openEditor, openRun, runFacts, seriousFaults, showPanel } from '../pages';
import { expect, test } from '../test';

/** The MCP server of this run does not start. The run is completed, and every page says what is missing. */

const files = {
  'agent-cards/lead.md': '---\nname: lead\nmodel: passthrough\nservers: [files]\n---\nWork.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    files:\n      command: node\n      args: [gone.mjs]\n',
  'callboard.yaml': 'version: 1\nentry: lead\n',
};
const said = '1 server did not start';
const cause = /Server 'files' did not start: `node gone\.mjs` exited with code 1\. Error: Cannot find module/;

test('a server that does not start is seen in dock, problems, canvas, run page, list and API', async ({
  page,
  baseURL,
}, info) => {
  const picture = async (name: string) => {
    const folder = process.env.CALLBOARD_PICTURES;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${info.project.name}.png` });
  };
  const url = baseURL ?? '';
  const project = await createProject(url, 'Without its server', files);
  const run = await startRun(url, project, 'hello');
  expect(await waitForEnd(url, run)).toBe('completed');
  expect(await readRun(url, run)).toMatchObject({
    failedServers: [{ name: 'files', message: expect.stringMatching(cause) }],
  });

  await openEditor(page, project);
  await showPanel(page, 'Run');
  await expect(page.getByText(said, { exact: true })).toBeVisible();
  await expect(page.getByText(cause).first()).toBeVisible();
  await picture('dock');
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(page.getByRole('button', { name: cause })).toBeVisible();
  await picture('problems');
  await showPanel(page, 'Canvas');
  await expect(graph(page).getByRole('img', { name: `${said} in the last run` })).toHaveCount(2);
  await picture('canvas');
  expect(await seriousFaults(page)).toEqual([]);

  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  await openRun(page);
  await seeRunPage(page);
  await picture('run');
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Graph' }).click();
  await expect(page.getByRole('button', { name: /lead.*1 server did not start/ })).toBeVisible();
  await picture('graph');

  await page.goto(`/runs?project=${project}`);
  const row = page.getByRole('link', { name: new RegExp(`Completed.*lead.*${said}`) });
  await expect(row).toBeVisible();
  await picture('list');
});

/** Checks the header, the result, and the failed start as a row of the history that opens its output. */
async function seeRunPage(page: Page): Promise<void> {
  await expect(page.locator('header').getByText(said, { exact: true })).toBeVisible();
  await expect(runFacts(page)).toContainText('Completed');
  const history = page.getByRole('list', { name: 'Calls and results' });
  await history.getByRole('button', { name: /start→.*files/ }).click();
  await expect(page.getByText('Start of a server')).toBeVisible();
  await expect(page.getByText('Last output:').first()).toBeVisible();
}
