import { createProject, startRun, waitForEnd } from './api';
import { graph, openProject, seriousFaults, showPanel } from './pages';
import { expect, test } from './test';

const hooks = `export async function clamp(ctx, args, next) {
  console.log('asked for ' + args.x);
  return next({ ...args, x: Math.min(args.x, 10) });
}

export async function mark(ctx, args, next) {
  const result = await next(args);
  return { ...result, content: [...result.content, { type: 'text', text: '[checked]' }] };
}
`;
const files = {
  'lead.md':
    '---\nname: lead\ndefault: true\nfunction_tools: [tools.ts:add_one]\ntool_hooks: [hooks.ts:clamp, hooks.ts:mark]\n---\nAdd.\n',
  'tools.ts': 'export function add_one(x: number): number {\n  return x + 1;\n}\n',
  'hooks.ts': hooks,
  'callboard.yaml': `version: 1
scripts:
  lead:
    - turns:
        - calls: [{ tool: add_one, arguments: { x: 99 } }]
        - text: Done.
`,
};

test('hooks are tried on a call of a run, and the case is kept and run again @full', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const name = `bench-${Date.now()}`;
  const project = await createProject(url, name, files);
  await waitForEnd(url, await startRun(url, project, 'Go'));
  await openProject(page, name);
  await graph(page).getByText('lead', { exact: true }).click();
  await showPanel(page, 'Inspector');
  await page.getByRole('button', { name: 'Try hooks…' }).click();
  const bench = page.getByRole('dialog', { name: 'Try hooks of lead' });

  await bench.getByRole('button', { name: 'Take a call of a run…' }).click();
  await bench
    .getByRole('list', { name: 'Calls' })
    .getByRole('button', { name: /add_one/ })
    .click();
  await expect(bench.getByRole('textbox', { name: 'Arguments' })).toHaveValue(/"x": 99/);
  // The answer of the tool is the one before the hooks saw it.
  await expect(bench.getByRole('textbox', { name: 'Result of the tool' })).toHaveValue('11');

  await bench.getByRole('button', { name: 'Run hooks' }).click();
  const steps = bench.getByRole('list', { name: 'Hooks in the order in which they began' }).getByRole('listitem');
  await expect(steps).toHaveCount(2);
  await expect(steps.first()).toContainText('−   "x": 99');
  await expect(steps.first()).toContainText('+   "x": 10');
  await expect(steps.first()).toContainText('asked for 99');
  await expect(steps.last()).toContainText('+ [checked]');
  await expect(bench.getByRole('figure', { name: 'Result that the model reads' })).toContainText('[checked]');
  expect(await seriousFaults(page)).toEqual([]);

  await bench.getByRole('button', { name: 'Keep as case…' }).click();
  await page.keyboard.type('clamps');
  await page.keyboard.press('Enter');
  await bench.getByRole('button', { name: 'Run all' }).click();
  await expect(bench.getByRole('status')).toHaveText('1 of 1 passed');
  await page.keyboard.press('Escape');
  await expect(bench).toBeHidden();
  await page.getByRole('tab', { name: /^Files/ }).click();
  await expect(page.getByText('hook-cases/clamps.json').or(page.getByText('clamps.json')).first()).toBeVisible();
});
