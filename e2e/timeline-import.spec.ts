import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { createProject, startRun, waitForEnd } from './api';
import { lanes, runFacts, seriousFaults } from './pages';
import { expect, test } from './test';
import { signedIn } from './test-token';

/** These tests bring runs of other tools into the app, by file and by OpenTelemetry, and look at them there. */

const block = (text: string) => [{ type: 'text', text }];
const noon = (seconds: number) => `2026-07-12T12:00:0${seconds}Z`;

/** A session of fast-agent in which PMO calls NY once. */
const session = {
  'session.json': {
    ...{ schema_version: 4, session_id: '2607121200-abc123', created_at: noon(0) },
    continuation: { active_agent: 'PMO', agents: { PMO: { model: 'gpt-5' } } },
  },
  'history_PMO.json': {
    messages: [
      { role: 'user', content: block('Plan'), timestamp: noon(0) },
      {
        ...{ role: 'assistant', content: [], timestamp: noon(2), stop_reason: 'toolUse' },
        tool_calls: { c1: { method: 'tools/call', params: { name: 'agent__NY', arguments: { message: 'go' } } } },
        channels: { 'fast-agent-timing': block('{"duration_ms":1000,"ttft_ms":300}') },
      },
      { role: 'user', content: [], tool_results: { c1: { content: block('done') } }, timestamp: noon(5) },
      { role: 'assistant', content: block('All planned'), timestamp: noon(7), stop_reason: 'endTurn' },
    ],
  },
  'trajectories/c1_NY_1.json': {
    ...{ schema_version: 1, trajectory_id: 'traj_1', parent_agent_name: 'PMO', parent_tool_call_id: 'c1' },
    ...{ agent_name: 'NY[1]', started_at: noon(3), completed_at: noon(5), rendered_child_input: 'go' },
    messages: [
      { role: 'user', content: block('go') },
      { role: 'assistant', content: block('done'), timestamp: noon(4), stop_reason: 'endTurn' },
    ],
  },
};

const said = (id: number, seconds: number, more: object = {}) => ({
  ...{ step_id: id, timestamp: noon(seconds), source: 'agent', message: `said ${id}`, ...more },
});
const trajectory = {
  ...{ schema_version: 'ATIF-v1.7', session_id: 's1', trajectory_id: 't1' },
  agent: { name: 'terminus', version: '1', model_name: 'gpt-5' },
  steps: [
    { step_id: 1, timestamp: noon(0), source: 'user', message: 'Inspect' },
    said(2, 2, {
      tool_calls: [{ tool_call_id: 'c1', function_name: 'shell', arguments: { command: 'pwd' } }],
      observation: { results: [{ source_call_id: 'c1', content: 'no such command', extra: { is_error: true } }] },
    }),
    said(3, 6),
  ],
};

/** Writes files into the folder of the test. Returns that folder. */
function written(name: string, files: Readonly<Record<string, unknown>>): string {
  const folder = test.info().outputPath(name);
  for (const [file, value] of Object.entries(files)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}

/** Imports through the dialog on the page of runs, and opens the run. */
async function importAndOpen(page: Page, input: 'Files of runs' | 'Folder of runs', files: string): Promise<void> {
  await page.goto('/runs');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator(`input[aria-label="${input}"]`).setInputFiles(files);
  await expect(page.getByText('1 run was imported.')).toBeVisible();
  await page.getByRole('link', { name: 'Open the run' }).click();
  await expect(page).toHaveURL(/\/r\//);
}

test('a session folder, a trajectory and an event log are imported and look like runs of this app', async ({
  page,
  baseURL,
}) => {
  await importAndOpen(page, 'Folder of runs', written('session', session));
  await expect(runFacts(page)).toContainText('Completed');
  await expect(page.getByText('fast-agent', { exact: true }).first()).toBeVisible();
  await expect(lanes(page).getByRole('treeitem')).toHaveCount(2);
  await expect(page.getByRole('tabpanel')).toContainText('All planned');
  await page.getByRole('tab', { name: /^Log/ }).click();
  await expect(page.getByRole('tabpanel')).toContainText('fast-agent recorded this run');
  await expect(page.getByRole('tabpanel')).toContainText('estimated');
  await page.getByRole('tab', { name: 'Graph' }).click();
  const graph = page.getByRole('list', { name: 'Graph of this run' }).getByRole('listitem');
  await expect(graph).toHaveCount(2);
  await expect(graph.filter({ hasText: 'NY' })).toContainText('Completed');
  const history = page.getByRole('list', { name: 'Calls and results' });
  await history.getByText('agent__NY').first().click();
  await expect(page.getByRole('tabpanel')).toContainText('Estimated by the import');
  expect(await seriousFaults(page)).toEqual([]);

  await importAndOpen(page, 'Files of runs', path.join(written('atif', { 't.json': trajectory }), 't.json'));
  await expect(page.getByText('ATIF', { exact: true }).first()).toBeVisible();
  await history.getByText('shell').first().click();
  await expect(page.getByRole('tabpanel')).toContainText('"command": "pwd"');
  await expect(page.getByRole('tabpanel')).toContainText('no such command');

  const url = baseURL ?? '';
  const card = '---\nname: lead\ndefault: true\nmodel: passthrough\n---\n';
  const own = await startRun(url, await createProject(url, 'Own run', { 'agent-cards/lead.md': card }), 'Say it again');
  await waitForEnd(url, own);
  const log = await fetch(`${url}/api/v1/runs/${own}/export?as=events`, { headers: signedIn });
  await importAndOpen(page, 'Files of runs', path.join(written('log', { 'a.ndjson': await log.text() }), 'a.ndjson'));
  await expect(page.getByText('Callboard (imported)')).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('Say it again');
  expect(page.url()).not.toContain(own);
});

const traceId = 'c'.repeat(32);
const began = Date.parse(noon(0));
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const span = (
  id: string,
  parent: string | undefined,
  name: string,
  [from, to]: [number, number],
  more: object = {},
) => ({
  ...{
    traceId,
    spanId: id.repeat(16),
    name,
    kind: 1,
    ...(parent !== undefined && { parentSpanId: parent.repeat(16) }),
  },
  ...{ startTimeUnixNano: `${began + from}000000`, endTimeUnixNano: `${began + to}000000`, ...more },
});
const agent = (id: string, parent: string | undefined, name: string, times: [number, number]) =>
  span(id, parent, `invoke_agent ${name}`, times, {
    attributes: [attribute('gen_ai.operation.name', 'invoke_agent'), attribute('gen_ai.agent.name', name)],
  });

test('the page of a trace grows by itself while its spans arrive @full', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Traces', {});
  const send = async (...spans: object[]) => {
    const resource = { attributes: [attribute('service.name', 'shop')] };
    const answer = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { ...signedIn, 'content-type': 'application/json', 'callboard-project': project },
      body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'shop' }, spans }] }] }),
    });
    expect(await answer.json()).toEqual({});
  };
  const search = span('3', '2', 'execute_tool search', [20, 60], {
    attributes: [
      attribute('gen_ai.operation.name', 'execute_tool'),
      attribute('gen_ai.tool.name', 'search'),
      attribute('gen_ai.tool.call.arguments', '{"q":"tea"}'),
      attribute('shop.shelf', 'upper left'),
    ],
  });
  await send(search);
  const runs = z.looseObject({ groups: z.array(z.looseObject({ runs: z.array(z.looseObject({ id: z.string() })) })) });
  const list = await fetch(`${url}/api/v1/runs?project=${project}`, { headers: signedIn });
  const run = runs.parse(await list.json()).groups[0]?.runs[0]?.id;
  await page.goto(`/r/${run}`);
  const history = page.getByRole('list', { name: 'Calls and results' });
  await history.getByText('search').first().click();
  const details = page.getByRole('tabpanel');
  await expect(details).toContainText('"q": "tea"');
  // What no field has a place for is there too.
  await expect(details).toContainText('"shop.shelf": "upper left"');
  await expect(details).toContainText('Parent that has not arrived');
  await page.evaluate(() => Reflect.set(window, 'isSamePage', true));

  await send(agent('2', '1', 'clerk', [10, 70]), span('4', '2', 'Grind the beans', [61, 66]));
  await expect(lanes(page)).toContainText('clerk');
  await send(agent('1', undefined, 'manager', [0, 90]), agent('5', '1', 'clerk', [72, 88]));
  await expect(lanes(page).getByRole('treeitem')).toHaveCount(3);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('manager');
  // The selection is still the same call, whose parent is there now.
  await expect(details).toContainText('"q": "tea"');
  await expect(details).not.toContainText('Parent that has not arrived');
  expect(await page.evaluate(() => Reflect.get(window, 'isSamePage'))).toBe(true);

  await page.getByRole('tab', { name: /^Log/ }).click();
  await expect(details).toContainText('1 span followed no convention that is known here');
  await page.getByRole('tab', { name: 'Graph' }).click();
  const clerk = page
    .getByRole('list', { name: 'Graph of this run' })
    .getByRole('listitem')
    .filter({ hasText: 'clerk' });
  await expect(clerk).toContainText('× 2');
  await expect(details).toContainText('This graph shows who called whom.');
  expect(await seriousFaults(page)).toEqual([]);
});
