import { createProject, startRun, waitForEnd } from './api';
import { expect, test } from './test';

/** The page of a run as the server sends it. What people do on it is tested on the stage. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;

test('half a character in message and answer is shown, and the page is what the server sent', async ({
  page,
  baseURL,
}) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const project = await createProject(baseURL ?? '', `Halves ${Date.now()}`, {
    'agent-cards/lead.md': card('lead', 'default: true\n'),
    'callboard.yaml': 'version: 1\nscripts:\n  lead:\n    - turns:\n        - text: "Heard: {{input}}"\n',
  });
  const run = await startRun(baseURL ?? '', project, 'lone \ud800 half');
  await waitForEnd(baseURL ?? '', run);
  await page.goto(`/r/${run}`);
  await expect(page.getByRole('tabpanel').getByText('Heard: lone \ufffd half', { exact: true })).toBeVisible();
  await page.goto('/runs');
  await expect(page.getByText('lone \ufffd half').first()).toBeVisible();
  expect(complaints).toEqual([]);
});
