import type { Page } from '@playwright/test';
import { createProject, startRun, waitForEnd, writeFiles } from './api';
import { seriousFaults } from './pages';
import { expect, freshProject, test } from './test';
import { signedIn } from './test-token';

/** These tests cover the comparison of two runs. */

const files = (instruction: string, city: string, more: string) => ({
  'agent-cards/lead.md': `---\nname: lead\ndefault: true\nagents: [kid]\n---\n${instruction}\n`,
  'agent-cards/kid.md': '---\nname: kid\n---\nDo as you are told.\n',
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls:
            - { tool: agent__kid, arguments: { text: Look at Oslo } }
            - { tool: agent__kid, arguments: { text: Look at ${city} } }${more}
        - text: All done.
  kid:
    - turns:
        - { text: 'I have looked at it.', delay_ms: 60 }
`,
});
const before = files('Be brief.', 'Lima', '');
const after = files('Be long.', 'Quito', '\n            - { tool: agent__kid, arguments: { text: Look at Perth } }');

const project = freshProject('Comparing', before);

function firstDifference(page: Page) {
  return page.getByRole('region', { name: 'First difference' });
}

test('the draft is run on the input of an old run, and both are compared to the first step that differs', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const old = await startRun(url, project(), 'Look around.');
  await waitForEnd(url, old);
  await writeFiles(url, project(), after);

  await page.goto(`/r/${old}`);
  await page.getByRole('link', { name: 'Compare with…' }).click();
  await page.getByRole('button', { name: 'Run the current draft on this input' }).click();
  await expect(page).toHaveURL(new RegExp(`/compare\\?a=${old}&b=`));
  await expect(page.getByRole('listitem', { name: 'Run B' }).getByText('Completed')).toBeVisible();

  // The request of the first model call has another instruction, which is earlier than all that follows from it.
  await expect(firstDifference(page)).toContainText('of lead, other request');
  await firstDifference(page).getByRole('button', { name: 'Show it' }).click();
  const step = page.getByRole('region', { name: 'Selected step' });
  await expect(step.getByRole('figure', { name: /^System text/ })).toContainText('− Be brief.');
  await expect(step.getByRole('figure', { name: /^System text/ })).toContainText('+ Be long.');
  await expect(page).toHaveURL(/step=\d+\.\d+/);

  await page.keyboard.press('n');
  await expect(firstDifference(page)).toContainText(/2 of \d+ differences/);
  await expect(step.getByRole('figure', { name: /^Asks for agent__kid \(2\)|^Answer/ })).toContainText('Quito');
  const link = page.url();

  const table = page.getByRole('grid', { name: 'Instances of both runs' });
  await expect(table.getByRole('row', { name: /kid\[3\].*only in B/ })).toBeVisible();
  await table.getByRole('button', { name: 'Differences' }).click();
  await expect(table.getByRole('columnheader', { name: 'Differences' })).toHaveAttribute('aria-sort', 'descending');
  await expect(table.getByRole('row').nth(1)).toContainText('lead');

  await page.getByRole('tab', { name: 'Input and files' }).click();
  await page.getByRole('button', { name: /lead\.md/ }).click();
  await expect(page.getByRole('region', { name: 'Cards and other files' })).toContainText('+ Be long.');
  expect(await seriousFaults(page)).toEqual([]);

  const fresh = await page.context().newPage();
  await fresh.goto(link);
  await expect(fresh.getByRole('region', { name: 'Selected step' })).toContainText('Quito');
  await fresh.getByRole('button', { name: 'Swap' }).click();
  await expect(fresh).toHaveURL(new RegExp(`&b=${old}`));
  await expect(
    fresh.getByRole('region', { name: 'Selected step' }).getByRole('figure', { name: /^Answer/ }),
  ).toContainText('Quito');
  await fresh.getByRole('link', { name: 'Open in B' }).click();
  await expect(fresh).toHaveURL(new RegExp(`/r/${old}\\?span=\\d+`));
});

test('two runs that are selected in the list are compared by keyboard, and equal ones have no difference @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  for (let i = 0; i < 2; i++) await waitForEnd(url, await startRun(url, project(), 'Twice the same.'));
  await page.goto(`/runs?project=${project()}&text=${encodeURIComponent('Twice the same')}`);
  for (const box of await page.getByRole('checkbox', { name: /Twice the same/ }).all()) {
    await box.focus();
    await page.keyboard.press('Space');
  }
  await page.getByRole('link', { name: 'Compare', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/compare\?a=/);
  await expect(firstDifference(page)).toHaveText('No step differs');
  const lanes = page.getByRole('region', { name: 'Timeline of A' }).getByRole('treeitem');
  await lanes.nth(1).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Selected step' })).toContainText('no difference');
  await expect(
    page.getByRole('region', { name: 'Timeline of B' }).getByRole('treeitem', { name: /kid\[1\]/ }),
  ).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('region', { name: 'Selected step' })).toContainText('no difference');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await seriousFaults(page)).toEqual([]);
});

test('a run that another tool recorded is compared with one of ours @full', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const own = await startRun(url, project(), 'Look around.');
  await waitForEnd(url, own);
  const other = await createProject(url, 'Recorded elsewhere', {});
  const spans = [
    agentSpan('1', undefined, 'lead', [0, 90]),
    agentSpan('2', '1', 'kid', [10, 40]),
    agentSpan('3', '1', 'kid', [12, 60]),
    agentSpan('4', '1', 'critic', [62, 80]),
  ];
  await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'application/json', 'callboard-project': other },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'shop' }, spans }] }] }),
  });
  await page.goto(`/runs?project=${other}`);
  const imported = await page.getByRole('link', { name: /lead/ }).first().getAttribute('href');
  await page.goto(`/compare?a=${own}&b=${imported?.replace('/r/', '')}`);
  const rows = page.getByRole('grid', { name: 'Instances of both runs' }).getByRole('row');
  await expect(rows.filter({ hasText: 'kid[2]' })).not.toContainText('only in');
  await expect(rows.filter({ hasText: 'critic' })).toContainText('only in B');
  await expect(firstDifference(page)).toContainText('of lead');
  await expect(firstDifference(page)).not.toContainText('being compared');
  await rows.filter({ hasText: 'critic' }).click();
  await expect(page.getByRole('region', { name: 'Selected step' })).toContainText('This run has no such step.');
  await page.getByRole('tab', { name: 'Input and files' }).click();
  await expect(page.getByText('An imported run has no files of its own to compare.')).toBeVisible();
});

/** A span of an agent as the conventions of OpenTelemetry for generative AI have it. Times are in milliseconds. */
function agentSpan(id: string, parent: string | undefined, name: string, [from, to]: [number, number]) {
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const began = Date.UTC(2026, 6, 12);
  return {
    ...{ traceId: 'd'.repeat(32), spanId: id.repeat(16), name: `invoke_agent ${name}`, kind: 1 },
    ...(parent !== undefined && { parentSpanId: parent.repeat(16) }),
    ...{ startTimeUnixNano: `${began + from}000000`, endTimeUnixNano: `${began + to}000000` },
    attributes: [attribute('gen_ai.operation.name', 'invoke_agent'), attribute('gen_ai.agent.name', name)],
  };
}
