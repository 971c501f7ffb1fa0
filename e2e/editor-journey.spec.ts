import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { FakeOpenAI, FakeRequest } from '../lib/testing/fake-openai';
import { writeServer } from '../lib/testing/mcp-servers';
import { readEvents, readFiles } from './api';
import { startAppModel } from './app-model';
import { drag, middleOf, node } from './canvas';
import { graph, runFacts, save } from './pages';
import { expect, test } from './test';

/**
 * Journeys of a new user in a new installation with the key of a provider, each from the page of projects to an answer. The
 * model server and the MCP server are local but real, and so is the Python.
 */

const instruction =
  'Get project updates from the New York and London project managers and include the current time. Return a brief, concise combined summary with clear city/time/topic labels.';

/** The cards as a person writes them by hand. The journeys must produce the same bytes. */
const sample = {
  'agent-cards/PMO-orchestrator.md': `---
name: PMO-orchestrator
default: true
servers:
  - time
tools:
  time: [get_time]
agents:
  - NY-Project-Manager
  - London-Project-Manager
function_tools:
  - ../tools.py:add_one
tool_hooks:
  - ../hooks.py:audit_hook
  - ../hooks.py:log_hook
---
${instruction}
`,
  'agent-cards/NY-Project-Manager.md': '---\ntype: agent\nname: NY-Project-Manager\n---\n',
  'agent-cards/London-Project-Manager.md': '---\ntype: agent\nname: London-Project-Manager\n---\n',
};

let folder = '';
let server = '';
let model: FakeOpenAI;

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
test.beforeAll(async ({}, { parallelIndex }) => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-journey-'));
  const { args } = await writeServer(
    folder,
    `const input = { timezone: z.string() };
     server.registerTool('get_time', { description: 'The time.', inputSchema: input }, ({ timezone }) => text('noon in ' + timezone));
     server.registerTool('convert_time', { description: 'Converts.', inputSchema: input }, () => text('never'));`,
    { file: 'time.mjs' },
  );
  server = path.join(folder, args[0] ?? '');
  model = await startAppModel(parallelIndex, { stored: 'sk-of-the-operator', respond: answer });
});

test.afterAll(async () => {
  await model?.close();
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

/** Calls every tool that is offered once, then answers with what the tools said. */
function answer({ tools, messages }: FakeRequest) {
  const results = messages.filter(({ role }) => role === 'tool');
  if (tools.length === 0) return { text: 'Hello from the model.' };
  if (results.length > 0) return { text: results.map(({ text }) => text).join('; ') };
  return {
    toolCalls: tools.map(({ name, parameters }) => ({
      name,
      arguments: Object.fromEntries(Object.keys(Object(parameters.properties)).map((key) => [key, 'Paris'])),
    })),
  };
}

/** Opens the page of projects, and counts what mouse and keyboard do from there. */
async function begin(page: Page): Promise<{ readonly clicks: () => number; readonly keys: () => number }> {
  const counts = { pointerdown: 0, keydown: 0 };
  await page.exposeFunction('countInput', (type: keyof typeof counts) => {
    counts[type] += 1;
  });
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'keydown']) {
      addEventListener(type, () => Reflect.get(window, 'countInput')(type), { capture: true });
    }
  });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Project office', exact: true }).first()).toBeVisible();
  return { clicks: () => counts.pointerdown, keys: () => counts.keydown };
}

/** Expects the cards of the sample and the server that was typed, then that the run used all of it. */
async function expectSample(page: Page, before: number): Promise<void> {
  await expect(runFacts(page)).toContainText('Completed');
  await save(page);
  const { origin, pathname } = new URL(page.url());
  const saved = await readFiles(origin, pathname.split('/')[2] ?? '');
  const cards = Object.fromEntries(Object.entries(saved).filter(([name]) => name.startsWith('agent-cards/')));
  expect(cards).toEqual(sample);
  expect(saved['fast-agent.yaml']).toBe(
    `default_model: openai.gpt-5-mini\nmcp:\n  servers:\n    time:\n      command: node\n      args: [${server}]\n`,
  );

  const [first, ...others] = model.requests.slice(before);
  expect(first?.messages[0]?.text).toContain(instruction);
  expect(first?.tools.map(({ name }) => name).sort()).toEqual([
    'add_one',
    'agent__London-Project-Manager',
    'agent__NY-Project-Manager',
    'time__get_time',
  ]);
  expect(others).toHaveLength(3);
  const results = others.at(-1)?.messages.filter(({ role }) => role === 'tool');
  expect(results?.map(({ text }) => text).sort()).toEqual([
    'Hello from the model.',
    'Hello from the model.',
    'Paris',
    'noon in Paris',
  ]);
  const run = (await page.getByRole('link', { name: /Open run/ }).getAttribute('href'))?.split('/').at(-1) ?? '';
  const hooks = (await readEvents(origin, run)).filter(({ kind }) => kind === 'hook.started');
  expect(hooks.map(({ hook }) => hook).sort()).toEqual([
    ...Array(4).fill('../hooks.py:audit_hook'),
    ...Array(4).fill('../hooks.py:log_hook'),
  ]);
}

test('with a key set, a newcomer has the answer of a real model in at most six clicks @full', async ({ page }) => {
  const { clicks } = await begin(page);
  await page.getByRole('button', { name: 'New project' }).click();
  await expect(page.getByRole('dialog')).toContainText('ready to run on openai.gpt-5-mini');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).click();
  await page.keyboard.type('Who are you?');
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Hello from the model.').first()).toBeVisible();
  await expect(runFacts(page)).toContainText('Completed');
  expect(clicks()).toBeLessThanOrEqual(6);
  expect(model.requests.at(-1)?.model).toBe('gpt-5-mini');
  expect(await page.content()).not.toContain('sk-of-the-operator');
});

test('a server with a filter, a function, two hooks and two children are built by mouse in 25 clicks, and run', async ({
  page,
}, info) => {
  const { clicks } = await begin(page);
  const before = model.requests.length;
  const office = 'agent:PMO-orchestrator';
  const option = (name: RegExp | string) => page.getByRole('option', { name }).first();
  /** Types into the field that has the focus, and ends with Enter. */
  const enter = async (field: RegExp, text: string) => {
    await expect(page.getByRole('textbox', { name: field })).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  /** Draws a wire from the orchestrator to a place without a node, which opens the list. */
  const wireTo = async (x: number, y: number) => {
    const from = await middleOf(node(page, office).locator('.react-flow__handle.source'));
    await drag(page, from, { x: from.x + x, y: from.y + y });
    await expect(page.getByRole('combobox', { name: 'Connect PMO-orchestrator to' })).toBeFocused();
  };

  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('button', { name: 'Create project' }).click();
  await node(page, 'agent:assistant').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await enter(/^New name of/, 'PMO-orchestrator');
  await expect(node(page, office)).toBeFocused();

  await wireTo(200, -180);
  await option('MCP server').click();
  await enter(/^New name of/, 'time');
  await expect(node(page, 'server:time')).toBeFocused();
  await page.getByRole('textbox', { name: 'Command' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('node');
  await page.getByRole('button', { name: 'Add argument' }).click();
  await enter(/^Argument 1/, server);
  await page.getByRole('button', { name: 'Test time' }).click();
  await expect(page.getByText('works', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Pick what PMO-orchestrator takes' }).click();
  await page.getByRole('checkbox', { name: 'convert_time' }).click();

  await wireTo(200, -70);
  await page.keyboard.type('add_one');
  await page.screenshot({ path: info.outputPath('picker.png') });
  await option("New function tool 'add_one'").click();
  await expect(node(page, 'function:tools.py:add_one')).toBeFocused();
  for (const [name, y] of [
    ['NY-Project-Manager', 90],
    ['London-Project-Manager', 190],
  ] as const) {
    await wireTo(140, y);
    await option(/^Agent/).click();
    await enter(/^New name of/, name);
    await expect(node(page, `agent:${name}`)).toBeFocused();
  }

  await wireTo(-60, 190);
  await page.keyboard.type('audit_hook');
  await option("New hook 'audit_hook'").click();
  await expect(node(page, office)).toBeFocused();
  await node(page, office).getByRole('button', { name: 'Add hook', exact: true }).click();
  await page.keyboard.type('log_hook');
  await option("New hook 'log_hook'…").click();
  await page.getByRole('button', { name: 'Write and add' }).click();
  await expect(graph(page).getByRole('button', { name: /^Hook 2: / })).toBeFocused();
  await page.getByRole('textbox', { name: /^Instruction/ }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(instruction);
  await page.getByRole('textbox', { name: 'Message', exact: true }).click();
  await page.keyboard.type('Daily report');
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('link', { name: /Open run/ })).toBeVisible();
  await page.screenshot({ path: info.outputPath('built.png') });
  info.annotations.push({ type: 'clicks', description: String(clicks()) });
  expect(clicks()).toBeLessThanOrEqual(25);
  await expectSample(page, before);
});

test('the same is built by the keyboard alone, and runs @full', async ({ page }, info) => {
  const { clicks, keys } = await begin(page);
  const before = model.requests.length;
  const press = (...pressed: readonly string[]) =>
    pressed.reduce((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve());
  const hasFocus = (target: Locator) =>
    target.evaluate((element) => element.contains(document.activeElement)).catch(() => false);
  /** Presses Tab, or another key, until the focus is there. */
  const goTo = async (target: Locator, key = 'Tab') => {
    await expect(target).toBeVisible();
    for (let pressed = 0; pressed < 40 && !(await hasFocus(target)); pressed++) await page.keyboard.press(key);
    expect(await hasFocus(target)).toBe(true);
  };
  const enter = async (field: Locator, text: string) => {
    await expect(field).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const newName = page.getByRole('textbox', { name: /^New name of/ });
  const picker = page.getByRole('combobox', { name: 'Connect PMO-orchestrator to' });
  const office = node(page, 'agent:PMO-orchestrator');

  await goTo(button('New project').first());
  await press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await press('Enter');
  await expect(node(page, 'agent:assistant')).toBeVisible();
  await press('ArrowRight', 'F2');
  await enter(newName, 'PMO-orchestrator');
  await expect(office).toBeFocused();

  await press('c');
  await enter(picker, 'server');
  await enter(newName, 'time');
  await expect(node(page, 'server:time')).toBeFocused();
  await goTo(page.getByRole('textbox', { name: 'Command' }));
  await press('ControlOrMeta+a');
  await page.keyboard.type('node');
  await goTo(button('Add argument'));
  await press('Enter');
  await enter(page.getByRole('textbox', { name: 'Argument 1' }), server);
  await goTo(page.getByRole('button', { name: 'Test time' }));
  await press('Enter');
  await expect(page.getByText('works', { exact: true })).toBeVisible();
  await goTo(page.getByRole('button', { name: 'Pick what PMO-orchestrator takes' }));
  await press('Enter');
  await goTo(page.getByRole('checkbox', { name: 'convert_time' }));
  await press('Space');
  await goTo(office, 'Shift+Tab');

  await press('c');
  await expect(picker).toBeFocused();
  await page.keyboard.type('add_one');
  await expect(page.getByRole('option')).toHaveText([/^New agent/, /^New function tool/, /^New hook/]);
  await press('ArrowDown');
  await press('Enter');
  await expect(node(page, 'function:tools.py:add_one')).toBeFocused();
  for (const name of ['NY-Project-Manager', 'London-Project-Manager']) {
    await press('ArrowLeft', 'c');
    await enter(picker, '');
    await enter(newName, name);
    await expect(node(page, `agent:${name}`)).toBeFocused();
  }
  await press('ArrowLeft', 'c');
  await enter(picker, 'hook');
  await enter(page.getByRole('textbox', { name: 'Name' }).last(), 'audit_hook');
  await expect(office).toBeFocused();
  await press('Tab', 'Insert');
  await enter(page.getByRole('combobox', { name: 'Hook to add' }), 'log_hook');
  await enter(page.getByRole('textbox', { name: 'Name' }).last(), '');
  // Nodes have moved apart, so that both beads have room.
  await expect(graph(page).getByRole('button', { name: /^Hook 2: / })).toBeFocused();

  await goTo(page.getByRole('textbox', { name: /^Instruction/ }));
  await press('ControlOrMeta+a');
  await page.keyboard.insertText(instruction);
  await press('ControlOrMeta+Enter');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
  await page.keyboard.type('Daily report');
  await press('ControlOrMeta+Enter');
  await expect(page.getByRole('link', { name: /Open run/ })).toBeVisible();
  info.annotations.push({ type: 'keys', description: String(keys()) });
  expect(clicks()).toBe(0);
  await expectSample(page, before);
});
