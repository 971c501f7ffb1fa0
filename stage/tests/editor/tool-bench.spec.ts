import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { seriousFaults, showPanel } from '@/e2e/pages';
import { expect, type Stage, test } from '../stage';

const bench = (page: Page, tool: string) => page.getByRole('dialog', { name: `Try ${tool}` });
const answer = (page: Page) => page.getByRole('region', { name: 'What the tool answered' });

async function tryOfServer(page: Page, stage: Stage, tool: string) {
  await stage.open('editor/with-tools-to-try');
  await node(page, 'server:mail').click();
  await showPanel(page, 'Inspector');
  await page.getByText('3 tools', { exact: true }).click();
  await page.getByRole('button', { name: `Try ${tool}…` }).click();
  await stage.idle();
}

test('a tool of a server is called with a form of its schema, and faults name their fields', async ({
  page,
  stage,
}) => {
  await tryOfServer(page, stage, 'send');
  const dialog = bench(page, 'mail__send');
  await expect(dialog).toContainText('The tool really runs, in a worker: what it changes stays changed.');
  await dialog.getByLabel('copies').fill('0');
  await page.keyboard.press('ControlOrMeta+Enter');
  await stage.idle();
  await expect(dialog.getByRole('alert')).toContainText('copies must be >= 1');
  await expect(dialog.getByText('must be >= 1', { exact: true })).toBeVisible();
  await expect(answer(page)).toContainText('Nothing called yet');
  await dialog.getByLabel('copies').fill('2');
  await dialog.getByRole('textbox', { name: 'to', exact: true }).fill('Ann');
  await dialog.getByRole('combobox', { name: 'kind' }).click();
  await page.getByRole('option', { name: 'card' }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await stage.idle();
  await expect(answer(page)).toContainText('Sent to Ann.');
  await expect(answer(page)).toContainText('12 ms, ready after 340 ms');
  await expect(answer(page)).toContainText('opening the letter box');
  await expect(answer(page).getByText('"id": 7')).toBeVisible();
  expect(await stage.inputsOf('p/[project]/actions.beginTask')).toMatchObject([
    { request: { arguments: { copies: 0 } } },
    {
      request: { agent: 'lead', tool: 'mail__send', server: 'mail', arguments: { to: 'Ann', copies: 2, kind: 'card' } },
    },
  ]);
  expect(await seriousFaults(page)).toEqual([]);
});

test('arguments that do not fit are sent when somebody wants that @full', async ({ page, stage }) => {
  await tryOfServer(page, stage, 'send');
  const dialog = bench(page, 'mail__send');
  await dialog.getByRole('button', { name: 'JSON' }).click();
  await dialog.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{"to": 1');
  await dialog.getByRole('button', { name: 'Call tool' }).click();
  await expect(dialog).toContainText('This is no JSON object');
  await dialog.getByRole('textbox', { name: 'Arguments as JSON' }).fill('{"to": 1}');
  await dialog.getByRole('button', { name: 'Call tool' }).click();
  await stage.idle();
  await dialog.getByRole('button', { name: 'Send them anyway' }).click();
  await stage.idle();
  await expect(answer(page)).toContainText('Sent to 1.');
  expect(await stage.inputsOf('p/[project]/actions.beginTask')).toMatchObject([
    { request: { arguments: { to: 1 } } },
    { request: { arguments: { to: 1 }, unchecked: true } },
  ]);
});

test('an approval that a call needs is given on purpose', async ({ page, stage }) => {
  await tryOfServer(page, stage, 'pay');
  await bench(page, 'mail__pay').getByRole('button', { name: 'Call tool' }).click();
  await stage.idle();
  await expect(answer(page).getByRole('alert')).toContainText("the rule 'Money' of your team asks for an approval");
  await answer(page).getByRole('button', { name: 'Approve and call' }).click();
  await stage.idle();
  await expect(answer(page)).toContainText('paid');
  expect(await stage.inputsOf('p/[project]/actions.beginTask')).toMatchObject([
    { request: { tool: 'mail__pay' } },
    { request: { tool: 'mail__pay', approve: true } },
  ]);
});

test('a call is stopped, and the tool may have done its work', async ({ page, stage }) => {
  await tryOfServer(page, stage, 'stamp');
  const dialog = bench(page, 'mail__stamp');
  await stage.trouble('GET /api/v1/tasks/:id', { kind: 'late' });
  await dialog.getByRole('button', { name: 'Call tool' }).click();
  await expect(answer(page)).toContainText('The tool runs');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await expect(answer(page)).toContainText('It was stopped. The tool may have done its work, or a part of it.');
  await stage.release('GET /api/v1/tasks/:id');
  await dialog.getByRole('button', { name: 'Call tool' }).click();
  await stage.idle();
  await expect(answer(page).getByRole('img', { name: 'What the tool answered' })).toBeVisible();
});

test('a function says its arguments, and its error is said plainly @full @phone-full', async ({ page, stage }) => {
  await stage.open('editor/with-tools-to-try');
  await showPanel(page, 'Outline');
  await page.getByRole('treeitem', { name: /count/ }).click();
  await showPanel(page, 'Inspector');
  await page.getByRole('button', { name: 'Try…' }).click();
  await stage.idle();
  const dialog = bench(page, 'count');
  await dialog.getByLabel('text').fill('x');
  await dialog.getByRole('button', { name: 'Call tool' }).click();
  await stage.idle();
  await expect(answer(page)).toContainText('The tool answered with an error');
  await expect(answer(page)).toContainText('TypeError: text is no string');
  await expect(answer(page)).toContainText('tools.ts:count: counting');
  expect(await seriousFaults(page)).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
});

test('the menu of an agent and the palette open the bench with its first tool, and another one can be chosen', async ({
  page,
  stage,
}) => {
  await stage.open('editor/with-tools-to-try');
  await node(page, 'agent:lead').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Try a tool…' }).click();
  const dialog = bench(page, 'mail__send');
  await expect(dialog.getByRole('button', { name: 'Call tool' })).toBeEnabled();
  await dialog.getByRole('combobox', { name: 'Tool' }).click();
  await page.getByRole('option', { name: 'mail__stamp' }).click();
  await expect(bench(page, 'mail__stamp')).toContainText('It takes no arguments.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await stage.idle();
  await page.keyboard.type('try a tool');
  await stage.idle();
  await page.keyboard.press('Enter');
  await expect(bench(page, 'mail__send')).toBeVisible();
});

test('the menu of an agent whose servers were not tested opens the bench with a tool that the card names @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({
    'agent-cards/lead.md': '---\nname: lead\nservers: [mail]\ntools: { mail: [send] }\n---\nLead.\n',
    'fast-agent.yaml': 'mcp: { servers: { mail: { command: node, args: [mail.mjs] } } }\n',
  });
  for (const id of ['agent:lead', 'server:mail'] as const) {
    await node(page, id).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Try a tool…' }).click();
    await expect(bench(page, 'mail__send')).toContainText('What the arguments are is not known yet');
    await page.keyboard.press('Escape');
  }
});

test('a server that was not tested is tested in the bench, and its tools can be chosen @full @phone-full', async ({
  page,
  stage,
}) => {
  await stage.open('editor/with-tools-to-try');
  await page.keyboard.press('ControlOrMeta+k');
  await stage.idle();
  await page.keyboard.type('try a tool');
  await stage.idle();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Try / });
  await dialog.getByRole('combobox', { name: 'Agent' }).click();
  await page.getByRole('option', { name: 'lead' }).click();
  await dialog.getByRole('button', { name: 'Test bank' }).click();
  await stage.idle();
  await expect(dialog).toContainText('There is no bank.mjs.');
  await dialog.getByRole('button', { name: 'Test bank again' }).click();
  await stage.idle();
  await expect(dialog.getByRole('button', { name: /^Test/ })).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'Tool' }).click();
  await page.getByRole('option', { name: 'bank__balance' }).click();
  await expect(bench(page, 'bank__balance')).toContainText('What is there.');
});

test('whoever may only read the project is offered no try @full', async ({ page, stage }) => {
  await stage.open('editor/for-somebody-who-only-views');
  await node(page, 'agent:lead').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Open' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Try a tool…' })).toHaveCount(0);
});
