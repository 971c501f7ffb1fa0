import type { Locator, Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSavedFiles, save, seriousFaults, showPanel } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

/** The forms of workflows: what can be chosen, what is refused, and what is written. */

const card = (name: string, type: string, fields: string) => ({
  [`agent-cards/${name}.md`]: `---\nname: ${name}\ntype: ${type}\n${fields}---\n`,
});
const files: Record<string, string> = {
  ...card('alpha', 'agent', 'default: true\n'),
  ...card('beta', 'agent', ''),
  ...card('gamma', 'agent', ''),
  ...card('split', 'parallel', 'fan_out: [alpha, beta]\n'),
  ...card('loop', 'evaluator_optimizer', 'generator: alpha\nevaluator: beta\n'),
  ...card('vote', 'MAKER', 'worker: alpha\n'),
  ...card('plan', 'orchestrator', 'agents: [alpha]\n'),
  ...card('far', 'a2a', 'url: https://agents.example.com\n'),
};

test.beforeEach(async ({ stage }) => {
  await stage.openEditor(files);
});

test('the fan-in is chosen from the agents, or none @full', async ({ page, stage }) => {
  await open(page, 'split');
  await choose(page, 'Fan in', 'gamma');
  await expectSaved(page, stage, card('split', 'parallel', 'fan_out: [alpha, beta]\nfan_in: gamma\n'));
  await page.getByRole('combobox', { name: 'Fan in' }).click();
  await expect(page.getByRole('option', { name: 'plan' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'split' })).toHaveCount(0);
  await page.getByRole('option', { name: /^None/ }).click();
  await expectSaved(page, stage, {});
});

test('an evaluator loop has its agents, its rating, its limit and its instruction', async ({ page, stage }) => {
  await open(page, 'loop');
  await choose(page, 'Generator', 'gamma');
  await choose(page, 'Min rating', 'EXCELLENT');
  await page.getByRole('textbox', { name: 'Max refinements' }).fill('-1');
  await expect(page.getByText("'-1' is too small, so it is not written. Write 0 or more")).toBeVisible();
  await page.getByRole('textbox', { name: 'Max refinements' }).fill('5');
  await page.getByRole('textbox', { name: 'Refinement instruction' }).fill('Keep the tone.\nAnswer each point.');
  expect(await seriousFaults(page)).toEqual([]);
  await save(page);
  const { 'agent-cards/loop.md': text = '' } = await stage.savedFiles();
  expect(text.split('\n').slice(0, 7)).toEqual([
    '---',
    'name: loop',
    'type: evaluator_optimizer',
    'generator: gamma',
    'evaluator: beta',
    'min_rating: EXCELLENT',
    'max_refinements: 5',
  ]);
  expect(text).toContain('Keep the tone.\n  Answer each point.');
});

test('a vote refuses what no vote can win, in the words of the checker @full', async ({ page, stage }) => {
  await open(page, 'vote');
  const k = page.getByRole('textbox', { name: 'k', exact: true });
  await k.fill('0');
  await expect(page.getByText("'0' is too small, so it is not written. Write 1 or more")).toBeVisible();
  await k.fill('2.5');
  await expect(page.getByText("'k' must be an integer, not the number 2.5.")).toBeVisible();
  await k.fill('60');
  await expect(page.getByText("which is less than 'k' (60)")).toBeVisible();
  await page.getByRole('textbox', { name: 'Max samples' }).fill('200');
  await expect(page.getByText("which is less than 'k' (60)")).toHaveCount(0);
  await choose(page, 'Match strategy', 'normalized');
  await page.getByRole('textbox', { name: 'Red flag max length' }).fill('400');
  expect(await seriousFaults(page)).toEqual([]);
  await expectSaved(
    page,
    stage,
    card(
      'vote',
      'MAKER',
      'worker: alpha\nk: 60\nmax_samples: 200\nmatch_strategy: normalized\nred_flag_max_length: 400\n',
    ),
  );
});

test('a plan is made at once or step by step @full @phone-full', async ({ page, stage }) => {
  await open(page, 'plan');
  await choose(page, 'Plan type', 'iterative');
  await page.getByRole('textbox', { name: 'Plan iterations' }).fill('7');
  await choose(page, 'Agents', 'beta');
  // The list stays open for further agents.
  await page.keyboard.press('Escape');
  await showPanel(page, 'Canvas');
  await expect(node(page, 'agent:plan')).toHaveAccessibleName('plan, orchestrator · step by step, ≤ 7');
  await expectSaved(
    page,
    stage,
    card('plan', 'orchestrator', 'agents: [alpha, beta]\nplan_type: iterative\nplan_iterations: 7\n'),
  );
});

test('a remote agent has an address, headers with secrets by name, and a transport @full', async ({ page, stage }) => {
  await open(page, 'far');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.keyboard.type('Authorization');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Use a variable for Authorization' }).click();
  await page.getByRole('combobox', { name: 'Variable of Authorization' }).click();
  await page.keyboard.type('PARTNER_TOKEN');
  await page.keyboard.press('Enter');
  await choose(page, 'Transport', 'HTTP+JSON');
  await page.getByRole('checkbox', { name: 'Polling' }).click();
  await page.getByRole('textbox', { name: 'Request timeout (s)' }).fill('30');
  expect(await seriousFaults(page)).toEqual([]);
  await save(page);
  const { 'agent-cards/far.md': text = '' } = await stage.savedFiles();
  expect(text).toContain(`headers:\n  Authorization: Bearer ${secret}\n`);
  expect(text).toContain('transport: HTTP+JSON\n');
  expect(text).toContain('polling: true\n');
  expect(text).toContain('request_timeout_seconds: 30\n');
  await page.getByRole('textbox', { name: 'URL' }).fill('');
  await expect(page.getByText("A card of type 'a2a' needs 'url'. Add it.")).toBeVisible();
});

/** Filled in when a run starts. */
const secret = `$\{PARTNER_TOKEN}`;

async function open(page: Page, name: string): Promise<void> {
  await node(page, `agent:${name}`).click();
  await showPanel(page, 'Inspector');
  await expect(field(page, 'Name')).toHaveValue(name);
}

function field(page: Page, name: string): Locator {
  return page.getByRole('textbox', { name, exact: true });
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Saves what was changed. The folder then holds the files of the project, except these. */
async function expectSaved(page: Page, stage: Stage, changed: Record<string, string>): Promise<void> {
  await expectSavedFiles(page, () => stage.savedFiles(), { ...files, ...changed });
}
