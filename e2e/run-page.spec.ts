import type { Page } from '@playwright/test';
import { createProject, readEvents, startRun, waitForEnd } from './api';
import { runFacts, seriousFaults } from './pages';
import { expect, test } from './test';

/** These tests cover the page of a run: delegations, the graph beside the bars, and the graph at a moment. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;

/** In this project three children run at once, one of them writes to the log, and then the same child runs once more. */
const fanOutAndLoop = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid', 'function_tools: [../tools.ts:note]\n'),
  'tools.ts': 'export function note(args: { text: string }) {\n  console.warn(args.text);\n  return args.text;\n}\n',
  'callboard.yaml': `version: 1
entry: lead
runtime_tools:
  state: true
scripts:
  lead:
    - turns:
        - calls:
            - tool: set_state
              arguments: { key: plan, value: three at once }
            - { tool: agent__kid, arguments: { text: one } }
            - { tool: agent__kid, arguments: { text: two } }
            - { tool: agent__kid, arguments: { text: three } }
        - calls:
            - { tool: agent__kid, arguments: { text: once more } }
        - text: All done.
  kid:
    - turns:
        - calls:
            - { tool: note, arguments: { text: kid was here } }
          delay_ms: 300
        - { text: Done., delay_ms: 300 }
`,
};

const makesPoet = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid'),
  'callboard.yaml': `version: 1
entry: lead
toolsets:
  lead:
    delegation: { allow_workers: [], create: allowed }
scripts:
  lead:
    - when_input_contains: poet
      turns:
        - calls:
            - tool: worker_create
              arguments: { name: poet, instructions: Write a line. }
        - calls:
            - { tool: agent__poet, arguments: { text: spring } }
        - text: "{{result}}"
    - turns:
        - calls:
            - { tool: agent__kid, arguments: { text: spring } }
        - text: "{{result}}"
  poet:
    - turns:
        - text: Green again.
  kid:
    - turns:
        - text: It is warm.
`,
};

test('a delegation is labelled in history, selection and log, and links to the run of its child', async ({
  page,
  baseURL,
}) => {
  const run = await runToEnd(baseURL, 'Badges', fanOutAndLoop);
  await page.goto(`/r/${run}`);

  const calls = page.getByRole('list', { name: 'Calls and results' }).getByRole('listitem');
  const call = calls.filter({ hasText: '"text":"two"' });
  await expect(call.getByText('Delegation', { exact: true })).toBeVisible();
  await expect(calls.filter({ hasText: 'set_state' }).getByText('Delegation')).toHaveCount(0);

  await call.getByRole('button').click();
  await expect(details(page).getByText('Delegation', { exact: true })).toBeVisible();
  const link = details(page).getByRole('link', { name: 'kid[2]' });
  const address = await link.getAttribute('href');
  await link.click();
  await expect(details(page).getByRole('heading', { name: 'kid[2]' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${address?.replace('?', '\\?')}$`));

  await call.getByRole('link', { name: 'kid[2]' }).click();
  await expect(details(page).getByRole('heading', { name: 'kid[2]' })).toBeVisible();

  await openTab(page, 'Log');
  const line = page.getByRole('list', { name: 'Log' }).getByRole('listitem').filter({ hasText: 'lead/kid[3]' });
  await expect(line.getByText('Delegation', { exact: true })).toBeVisible();
  await line.getByRole('link', { name: 'lead/kid[3]' }).click();
  await expect(details(page).getByRole('heading', { name: 'kid[3]' })).toBeVisible();

  await page.goto(address ?? '');
  await expect(details(page).getByRole('heading', { name: 'kid[2]' })).toBeVisible();
});

test('agents made during a run are dashed in the graph of that run, and in no other', async ({ page, baseURL }) => {
  const project = await createProject(baseURL ?? '', `Poets ${Date.now()}`, makesPoet);
  const made = await startRun(baseURL ?? '', project, 'A poet, please');
  const plain = await startRun(baseURL ?? '', project, 'The weather, please');
  await waitForEnd(baseURL ?? '', made);
  await waitForEnd(baseURL ?? '', plain);

  await page.goto(`/r/${made}?tab=graph`);
  const poet = nodes(page).filter({ hasText: 'poet' });
  await expect(poet).toContainText('Completed');
  await expect(poet).toContainText('made by lead during this run');
  await expect(poet.getByRole('button')).toHaveCSS('border-style', 'dashed');
  await expect(nodes(page).filter({ hasText: 'kid' }).locator('> *')).toHaveCSS('border-style', 'solid');

  await page.goto(`/r/${plain}?tab=graph`);
  await expect(nodes(page).filter({ hasText: 'kid' })).toContainText('Completed');
  await expect(nodes(page).filter({ hasText: 'poet' })).toHaveCount(0);
  await expect(nodes(page)).toHaveCount(2);
});

test('the graph at a moment counts each of three parallel instances, and each pass of a loop', async ({
  page,
  baseURL,
}) => {
  const run = await runToEnd(baseURL, 'Moments', fanOutAndLoop);
  const events = await readEvents(baseURL ?? '', run);
  const origin = events[0]?.at ?? 0;
  const starts = events.filter((one) => one.kind === 'instance.started' && one.path?.startsWith('lead/kid'));
  const [three, again] = [Math.max(...starts.slice(0, 3).map((one) => one.at)), starts[3]?.at ?? 0];
  const kid = nodes(page).filter({ hasText: 'kid' });
  const lead = nodes(page).filter({ hasText: 'lead' });

  await page.goto(`/r/${run}?tab=graph&at=${three - origin + 1}`);
  await expect(kid).toContainText('Running× 3');
  await expect(lead).toContainText('Running');

  await page.goto(`/r/${run}?tab=graph&at=${again - origin + 1}`);
  await expect(kid).toContainText('1 running, 3 completed');

  const slider = page.getByRole('slider', { name: 'Moment of the run' });
  await page.getByRole('button', { name: 'The end' }).click();
  await expect(kid).toContainText('Completed× 4');
  await slider.press('Home');
  await expect(kid).toContainText('Not yet');
  await expect(page).toHaveURL(/[?&]at=0(&|$)/);
  await page.reload();
  await expect(kid).toContainText('Not yet');
  await slider.press('End');
  await expect(kid).toContainText('Completed× 4');
  await expect(lead).toContainText('Completed');
  await expect(page).not.toHaveURL(/[?&]at=/);
});

test('a graph fits its panel on a desktop, and says on a phone that there is more', async ({ page, baseURL }, info) => {
  const run = await runToEnd(baseURL, 'Wide', {
    'agent-cards/lead.md': card('lead', 'default: true\nagents: [middle]\n'),
    'agent-cards/middle.md': card('middle', 'agents: [leaf]\n'),
    'agent-cards/leaf.md': card('leaf', 'servers: [time]\n'),
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: {command: node, args: [nothing.mjs]}\n',
    'callboard.yaml': 'version: 1\nentry: lead\nscripts:\n  lead:\n    - turns:\n        - text: Nothing to do.\n',
  });
  await page.goto(`/r/${run}?tab=graph`);
  await expect(nodes(page)).toHaveCount(4);
  const boxes = await Promise.all((await nodes(page).all()).map((node) => node.boundingBox()));
  const panel = await page.getByRole('tabpanel').boundingBox();
  const right = Math.max(...boxes.map((box) => (box === null ? 0 : box.x + box.width)));
  if (panel === null) throw new Error('The panel is not on the screen');
  const isPhone = info.project.name.startsWith('narrow');
  expect(right > panel.x + panel.width + 1).toBe(isPhone);
  await expect(page.getByText('Scroll sideways for the rest of the graph')).toHaveCount(isPhone ? 1 : 0);
  expect(Math.max(...boxes.map((box) => box?.width ?? 0))).toBeGreaterThan(130);
});

test('every tab of a run passes the accessibility check', async ({ page, baseURL }) => {
  const run = await runToEnd(baseURL, 'Tabs', fanOutAndLoop);
  const faults: Record<string, string[]> = {};
  await page.goto(`/r/${run}`);
  await page
    .getByRole('list', { name: 'Calls and results' })
    .getByRole('button', { name: /agent__kid/ })
    .first()
    .click();
  const shown = {
    Result: 'All done.',
    Selection: 'Delegation',
    Graph: 'Completed',
    State: 'three at once',
    Log: 'kid was here',
    Insight: 'Whole run',
  };
  for (const [tab, words] of Object.entries(shown)) {
    await openTab(page, tab);
    await expect(details(page)).toContainText(words);
    faults[tab] = await seriousFaults(page);
  }
  await page.getByRole('button', { name: 'Show as table' }).click();
  faults.table = await seriousFaults(page);
  expect(faults).toEqual({ Result: [], Selection: [], Graph: [], State: [], Log: [], Insight: [], table: [] });
});

test('a page scrolls in one place, and a row of tabs not at all', async ({ page, baseURL }) => {
  const run = await runToEnd(baseURL, 'Scrolling', fanOutAndLoop);
  for (const address of ['/runs', `/r/${run}`, `/r/${run}?tab=insight`]) {
    await page.goto(address);
    const place = address === '/runs' ? page.locator(`a[href="/r/${run}"]`) : runFacts(page);
    await expect(place).toContainText('Completed');
    const beyond = await page.evaluate(() => {
      const boxes = [document.documentElement, ...document.querySelectorAll('[role="tablist"]')];
      return boxes.map((box) => box.scrollHeight - box.clientHeight);
    });
    expect(beyond.length).toBe(address === '/runs' ? 1 : 2);
    expect([address, Math.max(...beyond)]).toEqual([address, 0]);
  }
});

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
  await expect(details(page).getByText('Heard: lone \ufffd half', { exact: true })).toBeVisible();
  await page.goto('/runs');
  await expect(page.getByText('lone \ufffd half').first()).toBeVisible();
  expect(complaints).toEqual([]);
});

async function runToEnd(baseURL: string | undefined, name: string, files: Record<string, string>): Promise<string> {
  const project = await createProject(baseURL ?? '', `${name} ${Date.now()}`, files);
  const run = await startRun(baseURL ?? '', project, 'Begin');
  expect(await waitForEnd(baseURL ?? '', run)).toBe('completed');
  return run;
}

function details(page: Page) {
  return page.getByRole('tabpanel');
}

function nodes(page: Page) {
  return page.getByRole('list', { name: 'Graph of this run' }).getByRole('listitem');
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
}
