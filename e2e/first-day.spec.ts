import { createProject, readEvents, readRun, startRun } from './api';
import {
  graph,
  lanes,
  openEditor,
  openProject,
  openRun,
  runFacts,
  runProject,
  showPanel,
  showWholeGraph,
} from './pages';
import { expect, test } from './test';

const instances = [
  'PMO-orchestrator',
  'NY-Project-Manager[1]',
  'NY-Project-Manager[2]',
  'NY-Project-Manager[3]',
  'London-Project-Manager[1]',
];

test('a newcomer opens the sample, runs it, watches four bars overlap, and reads the report', {
  tag: '@phone',
}, async ({ page, baseURL }) => {
  await openProject(page, 'Project office');
  await showWholeGraph(page);
  for (const name of ['PMO-orchestrator', 'NY-Project-Manager', 'London-Project-Manager', 'time']) {
    await expect(graph(page).getByText(name, { exact: true }).first()).toBeVisible();
  }

  await runProject(page, 'Daily report, please');
  await expect(runFacts(page)).toContainText('Scripted');
  for (const name of instances) await expect(lanes(page).getByText(name, { exact: true })).toBeVisible();

  await openRun(page);
  await expect(runFacts(page)).toContainText('Completed');
  await expect(page.getByText('London · economics').first()).toBeVisible();
  await expect(lanes(page).getByText('NY-Project-Manager[3]')).toBeVisible();

  const run = new URL(page.url()).pathname.split('/')[2] ?? '';
  const events = await readEvents(baseURL ?? '', run);
  const started = events.filter((one) => one.kind === 'instance.started').slice(1);
  const firstEnd = events.find((one) => one.kind === 'instance.ended')?.at ?? 0;
  expect(started).toHaveLength(4);
  expect(Math.max(...started.map((one) => one.at))).toBeLessThan(firstEnd);
  const clockCalls = events.filter((one) => one.kind === 'tool.started' && one.source === 'mcp');
  expect(clockCalls).toHaveLength(7);
});

test('Run at the top runs what the dock says, and a reload of the editor finds the run again', async ({
  page,
  baseURL,
  request,
}) => {
  const made = await request.post(`${baseURL}/api/v1/samples/pmo`, { data: { name: `Office ${Date.now()}` } });
  const { id } = await made.json();
  await openEditor(page, id);
  await showPanel(page, 'Run');
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await expect(message).toHaveValue('Daily report, please.');
  await message.fill('');
  const top = page.locator('header').getByRole('button', { name: 'Run', exact: true });
  await top.click();
  await expect(page.getByText('Write a message for the agent first.')).toBeVisible();
  await expect(message).toBeFocused();

  await message.fill('Weekly report, please.');
  await top.click();
  await expect(lanes(page).getByText('NY-Project-Manager[1]')).toBeVisible();
  await page.reload();
  await expect(graph(page)).toBeVisible();
  await showPanel(page, 'Run');
  await expect(lanes(page).getByText('NY-Project-Manager[1]')).toBeVisible();
  await expect(runFacts(page)).toContainText('Completed');
  await expect(message).toHaveValue('Weekly report, please.');

  await openRun(page);
  await page.getByRole('link', { name: 'Run again' }).click();
  await expect(graph(page)).toBeVisible();
  await showPanel(page, 'Run');
  await expect(message).toHaveValue('Weekly report, please.');
});

test('a reload in the middle of a run loses nothing and shows nothing twice @full', async ({ page }) => {
  await openProject(page, 'Project office');
  await runProject(page, 'Reload me');
  await openRun(page);
  await expect(lanes(page).getByText('NY-Project-Manager[2]')).toBeVisible();
  await page.reload();
  await expect(runFacts(page)).toContainText('Completed');
  for (const name of instances) await expect(lanes(page).getByText(name, { exact: true })).toHaveCount(1);
});

test('a run can be stopped, and every bar ends', async ({ page, baseURL }) => {
  await openProject(page, 'Project office');
  await runProject(page, 'Stop me');
  await expect(lanes(page).getByText('NY-Project-Manager[1]')).toBeVisible();
  await page.locator('form').getByRole('button', { name: 'Stop', exact: true }).click();
  await openRun(page);
  await expect(runFacts(page)).toContainText('Stopped');
  const run = new URL(page.url()).pathname.split('/')[2] ?? '';
  const events = await readEvents(baseURL ?? '', run);
  const open = new Set<string>();
  expect(events.filter((one) => one.kind === 'instance.queued').length).toBeGreaterThan(1);
  for (const one of events) {
    if (one.kind === 'instance.queued' && one.path) open.add(one.path);
    if (one.kind === 'instance.ended' && one.path) open.delete(one.path);
  }
  expect([...open]).toEqual([]);
});

test('the history groups runs by correlation id and leads back to them @full', async ({ page, baseURL, request }) => {
  const projects = await (await request.get('/api/v1/projects')).json();
  const project = projects.projects.find((one: { name: string }) => one.name === 'Project office').id;
  const correlationId = `nightly-${Date.now()}`;
  for (const message of ['First of two', 'Second of two']) {
    const answer = await request.post(`${baseURL}/api/v1/projects/${project}/runs`, {
      data: { message, correlationId },
    });
    expect(answer.status()).toBe(202);
  }
  await page.goto('/runs');
  const group = page
    .getByRole('main')
    .locator('ul > li')
    .filter({ has: page.getByText(correlationId, { exact: true }) });
  await expect(group).toContainText('First of two');
  await expect(group).toContainText('Second of two');
  await group.getByRole('link', { name: /Second of two/ }).click();
  await expect(page).toHaveURL(/\/r\//);
});

test('a run under way is listed alike by the server and by the page, which does not stumble over it @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const project = await createProject(url, 'Under way', {
    'agent-cards/slow.md': '---\nname: slow\nmodel: script\n---\nTake your time.\n',
    'callboard.yaml': 'version: 1\nscripts:\n  slow:\n    - turns: [{ text: Done, delay_ms: 60000 }]\n',
  });
  const run = await startRun(url, project, 'Slowly');
  await expect.poll(async () => (await readRun(url, run)).status).toBe('running');
  // The displayed duration changes every tenth of a second, so one of these loads would fall between two values.
  for (let visit = 0; visit < 4; visit += 1) {
    await page.goto(`/runs?project=${project}`);
    await expect(page.getByText('1 group', { exact: true })).toBeVisible();
  }
  expect(faults).toEqual([]);
});
