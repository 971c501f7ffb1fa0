import { createProject, readFiles, startRun, waitForEnd, writeFiles } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

/** A run that went well is kept as a test; a change to a hook breaks it, and the page says what is different. */

const guard = (stops: boolean) =>
  `export async function check(ctx, args, next) {\n  ${stops ? "throw new Error('not today');" : ''}\n  return await next(args);\n}\n`;

const files = {
  'agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nfunction_tools: [../tools.ts:twice]\ntool_hooks: [../guard.ts:check]\n---\nYou lead.\n',
  'tools.ts': 'export function twice(args: { x: number }) {\n  return args.x * 2;\n}\n',
  'guard.ts': guard(true),
  'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: twice, arguments: { x: 4 } }]
        - text: The hook said no, so there is no number.
`,
};

test('a run is saved as a test, passes, and fails when the hook it relied on is gone @full', async ({
  page,
  baseURL,
}, info) => {
  const url = baseURL ?? '';
  const project = await createProject(url, `Tested ${info.project.name}`, files);
  const run = await startRun(url, project, 'What is 4 times 2?');
  expect(await waitForEnd(url, run)).toBe('completed');

  await page.goto(`/p/${project}/tests`);
  await expect(page.getByRole('heading', { name: 'No tests yet' })).toBeVisible();
  await page.goto(`/r/${run}`);
  await page.getByRole('link', { name: 'Save as test' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('what-is-4-times-2');
  await expect(page.getByRole('textbox', { name: 'The answer contains' })).toHaveValue(
    'The hook said no, so there is no number.',
  );
  await expect(page.getByRole('checkbox', { name: 'guard.ts:check stops a call of twice' })).toBeChecked();
  // The run took less than what is suggested, and had no price.
  const time = page.getByRole('spinbutton', { name: 'Time at most, ms' });
  await expect(time).toHaveValue(/^\d{4,}$/);
  await time.fill('50000');
  await expect(page.getByRole('spinbutton', { name: 'Cost at most, USD' })).toHaveValue('');
  await page.getByRole('spinbutton', { name: 'Cost at most, USD' }).fill('0.05');
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('save.png'), fullPage: true });
  await page.getByRole('button', { name: 'Save test' }).click();

  const item = page.getByRole('list', { name: 'Tests' }).getByRole('listitem').first();
  await expect(item).toContainText('Not run');
  const written = (await readFiles(url, project))['tests/what-is-4-times-2.fixture.yaml'];
  expect(written).toMatch(/limits:\s+time_ms: 50000\s+cost_usd: 0.05/);
  await page.getByRole('button', { name: 'Run all', exact: true }).click();
  await expect(item).toContainText('Passed');
  await expect(page.getByText('All tests pass on the files of the draft.')).toBeVisible();

  await writeFiles(url, project, { ...(await readFiles(url, project)), 'guard.ts': guard(false) });
  await page.reload();
  await expect(item).toContainText('Not run');
  await page.getByRole('button', { name: 'Run test what-is-4-times-2' }).click();
  await expect(item).toContainText('Failed');
  await expect(page.getByRole('list', { name: 'What test what-is-4-times-2 found' })).toContainText(
    'it ran once, changed something never, stopped the call never',
  );
  await expect(page.getByRole('region', { name: 'Results on earlier files' })).toContainText('Passed');
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('tests.png'), fullPage: true });

  // What has failed does not go live, and the dialog runs the tests of files that they have not run on.
  await page.goto(`/p/${project}/revisions`);
  const publish = page.getByRole('region', { name: 'Live' }).getByRole('button', { name: 'Publish draft' });
  await publish.click();
  await expect(page.getByRole('dialog')).toContainText("Test 'what-is-4-times-2' failed");
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Publish nevertheless' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.keyboard.press('Escape');
  const fixed = { ...(await readFiles(url, project)), 'guard.ts': `// The guard is back.\n${guard(true)}` };
  await writeFiles(url, project, fixed);
  await page.reload();
  await publish.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run the tests' }).click();
  await expect(page.getByRole('dialog')).toContainText('The tests have passed.');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Live' })).toContainText('is live');
  await page.goto(`/p/${project}/tests`);
  const columns = page.getByRole('region', { name: 'Results on earlier files' }).getByRole('columnheader');
  await expect(columns.nth(1)).toHaveText('Draft · Revision 1');
  await writeFiles(url, project, { ...fixed, 'guard.ts': `// Another guard.\n${guard(true)}` });
  await page.reload();
  await expect(columns.nth(1)).toHaveText('Draft');
  await expect(columns.getByRole('link', { name: 'Revision 1' })).toBeVisible();
  await writeFiles(url, project, fixed);
  await page.reload();
  await item.getByRole('link', { name: /^Run/ }).click();
  await expect(page).toHaveURL(/\/r\//);

  // Runs of tests are not in the list of runs.
  await page.goto(`/runs?project=${project}`);
  await expect(page.locator(`a[href*="${run}"]`).first()).toBeVisible();
  await expect(page.getByText('What is 4 times 2?')).toHaveCount(1);
});
