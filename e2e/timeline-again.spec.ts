import type { FakeOpenAI, FakeReply, FakeRequest } from '../lib/testing/fake-openai';
import {
  type ApiEvent,
  createProject,
  deleteProject,
  readEvents,
  readRun,
  startRun,
  waitForEnd,
  writeFiles,
} from './api';
import { startAppModel } from './app-model';
import { lanes, runFacts, seriousFaults } from './pages';
import { expect, test } from './test';

/** A run is run again from a step, one of its instances alone, and with a pinned result. The model server counts its calls. */

test.describe.configure({ mode: 'serial' });

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nYou lead.\n',
  'agent-cards/kid.md': '---\nname: kid\nfunction_tools: [../tools.ts:size]\n---\nYou help.\n',
  'tools.ts': 'export function size(args: { text: string }) {\n  return args.text.length;\n}\n',
  'fast-agent.yaml': 'default_model: openai.fake\n',
};

const lonely = '---\nname: lead\ndefault: true\n---\nYou lead.\n';
const renamed = '---\nname: helper\n---\nYou help.\n';

let model: FakeOpenAI;
let url: string;
let project: string;
let run: string;
let events: ApiEvent[];

test.beforeAll(async ({ baseURL }, { parallelIndex }) => {
  url = baseURL ?? '';
  model = await startAppModel(parallelIndex, { stored: 'sk-again-0123456789', respond });
  project = await createProject(url, 'Again', files);
  run = await startRun(url, project, 'Begin');
  expect(await waitForEnd(url, run)).toBe('completed');
  events = await readEvents(url, run);
});

test.afterAll(async () => {
  await deleteProject(url, project);
  await model?.close();
});

test('from its last step, a run asks the model once and gives the same answer', async ({ page }) => {
  const before = model.requests.length;
  expect(before).toBe(6);
  await page.goto(`/r/${run}?tab=selection&span=${seqOf('lead#m2')}`);
  await page.getByRole('button', { name: 'Run again from here' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Run again from here' });
  await expect(dialog.getByRole('status')).toHaveText('From the record: 5 of 6 model calls and 4 of 4 tool calls.');
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Run', exact: true }).press('Enter');
  await expect(page).not.toHaveURL(new RegExp(run));
  await expect(page.getByText(`Again of ${run.slice(0, 8)}, from a step`)).toBeVisible();
  await expect(runFacts(page)).toContainText('Completed');
  expect(model.requests.length).toBe(before + 1);
  const next = /\/r\/([^?]+)/.exec(page.url())?.[1] ?? '';
  expect((await readRun(url, next)).answer).toBe((await readRun(url, run)).answer);
  await page.goto(`/r/${run}`);
  await expect(page.getByText(`Run again as ${next.slice(0, 8)}`)).toBeVisible();
  await page.goto('/runs');
  await expect(page.getByText(`Again of ${run.slice(0, 8)}`)).toBeVisible();
});

test('a bar has a menu, by the right button and by Shift+F10 @full', async ({ page }) => {
  await page.goto(`/r/${run}`);
  const kid = lanes(page).getByRole('treeitem', { name: /kid\[2\]/ });
  await kid.focus();
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Run again from here',
    'Run this instance again',
    /Zoom to it/,
    'Copy link',
    'Compare with…',
  ]);
  await expect(page.getByRole('tabpanel')).toContainText('kid[2]');
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(kid).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(menu).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitem', { name: 'Run this instance again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Run this instance again' })).toContainText("Agent 'kid' runs alone");
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  const bars = page.getByRole('img', { name: /^Bars of/ });
  // The row of the lead has a bar at any time.
  const [row, box] = [await lanes(page).getByRole('treeitem').first().boundingBox(), await bars.boundingBox()];
  if (row === null || box === null) throw new Error('The row of the lead is not on the page.');
  await page.mouse.click(box.x + box.width / 2, row.y + row.height / 2, { button: 'right' });
  await menu.getByRole('menuitem', { name: /Zoom to it/ }).click();
  await expect(page).toHaveURL(/[?&]t=\d+/);
});

test('one instance runs again with other arguments, and its tool is answered from the record @full', async ({
  page,
}) => {
  const before = model.requests.length;
  await page.goto(`/r/${run}?tab=selection&span=${seqOf('lead#t2')}`);
  await page.getByRole('button', { name: 'Run this instance again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run this instance again' });
  await dialog.getByRole('textbox', { name: 'text' }).fill('something else');
  await expect(dialog.getByRole('radio', { name: 'size: From the record' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(`Again of ${run.slice(0, 8)}, one instance`)).toBeVisible();
  await expect(runFacts(page)).toContainText('Completed');
  expect(model.requests.slice(before).map(({ messages }) => messages[1]?.text)).toEqual([
    'something else',
    'something else',
  ]);
  // The tool counts 14 letters of the new text; the record has the 3 of "two".
  await expect(page.getByRole('tabpanel')).toContainText('It has 3 letters');
});

test('a pinned result answers the next run until it is removed @full', async ({ page }) => {
  await page.goto(`/r/${run}?tab=selection&span=${seqOf('lead/kid[1]#t1')}`);
  await page.getByRole('button', { name: 'Pin result' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pin result' });
  await dialog.getByRole('radio', { name: /Every call/ }).check();
  await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(dialog.getByRole('list', { name: 'Pinned results' })).toContainText('kid · size');
  const next = await startRun(url, project, 'Begin');
  expect(await waitForEnd(url, next)).toBe('completed');
  const logged = (await readEvents(url, next)).filter((event) => event.code === 'answer_pinned');
  expect(logged).toHaveLength(2);
  await dialog.getByRole('button', { name: 'Remove the pinned result of size' }).click();
  await expect(dialog).toContainText('Nothing is pinned.');
  await page.goto(`/r/${next}?tab=selection&span=${seqOf('lead/kid[1]#t1', await readEvents(url, next))}`);
  await expect(page.getByRole('tabpanel')).toContainText('Pinned answer');
});

test('files that do not match the record are named before the start @full', async ({ page }) => {
  await writeFiles(url, project, { ...files, 'agent-cards/lead.md': lonely, 'agent-cards/kid.md': renamed });
  await page.goto(`/r/${run}?tab=selection&span=${seqOf('lead#m2')}`);
  await page.getByRole('button', { name: 'Run again from here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run again from here' });
  await expect(dialog.getByRole('status')).toHaveText('From the record: 5 of 6 model calls and 4 of 4 tool calls.');
  await dialog.getByRole('radio', { name: /Current files/ }).check();
  await expect(dialog.getByRole('status')).toContainText("Agent 'kid' is no longer in the project.");
  await expect(dialog.getByRole('status')).toContainText('From the record: 1 of 6 model calls and 0 of 4 tool calls.');
  await page.keyboard.press('Escape');
  await page.goto(`/r/${run}?tab=selection&span=${seqOf('lead#t2')}`);
  await page.getByRole('button', { name: 'Run this instance again' }).click();
  const alone = page.getByRole('dialog', { name: 'Run this instance again' });
  await alone.getByRole('radio', { name: /Current files/ }).check();
  await expect(alone).toContainText("Agent 'kid' is not in these files. The run would fail.");
  expect(await seriousFaults(page)).toEqual([]);
});

/** Returns the number of the event that starts a step. */
function seqOf(step: string, log = events): number {
  return log.find((event) => event.step === step && event.kind.endsWith('.started'))?.seq ?? 0;
}

/** The lead asks two kids. Each kid measures its text and tells the size. */
function respond({ messages }: FakeRequest): FakeReply {
  const results = messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
  const asked = messages.find(({ role }) => role === 'user')?.text ?? '';
  if (messages[0]?.text.includes('You lead')) {
    if (results.length > 0) return { text: `The kids say: ${results.join(' ')}` };
    return { toolCalls: ['one', 'two'].map((text) => ({ name: 'agent__kid', arguments: { text } })) };
  }
  if (results.length > 0) return { text: `It has ${results[0]} letters.` };
  return { toolCalls: [{ name: 'size', arguments: { text: asked } }] };
}
