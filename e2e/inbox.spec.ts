import { modernStdioServer } from '@/lib/testing/modern-server';
import { createProject, readEvents, startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

/** A person answers what a run asks: in the inbox, and on the page of the run. */

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;

/** A child asks for consent to two calls at once. */
const asksTwice = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [clerk]\n'),
  'agent-cards/clerk.md': card('clerk', 'function_tools: [../tools.ts:send]\n'),
  'tools.ts': 'export function send(args: { to: string; text: string }) {\n  return "sent to ".concat(args.to);\n}\n',
  'callboard.yaml': `version: 1
entry: lead
approvals:
  hold_s: 0
  rules:
    - { tools: [send], effect: ask, limit_s: 3600 }
scripts:
  lead:
    - turns:
        - calls:
            - { tool: agent__clerk, arguments: { text: tell both } }
        - text: "{{result}}"
  clerk:
    - turns:
        - text: Ann and Bob should know.
          calls:
            - { tool: send, arguments: { to: ann, text: Hello Ann } }
            - { tool: send, arguments: { to: bob, text: Hello Bob } }
        - text: "{{result}}"
`,
};

test('a person approves in the inbox, and denies with a reason on the page of the run', { tag: '@phone' }, async ({
  page,
  baseURL,
  viewport,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Asks twice', asksTwice);
  const run = await startRun(url, project, 'go');
  const isWide = (viewport?.width ?? 0) > 600;

  await page.goto(`/inbox?run=${run}`);
  const list = page.getByRole('navigation', { name: 'Questions' });
  await expect(list.getByRole('button')).toHaveCount(2);
  if (!isWide) await list.getByRole('button', { name: /Ann/ }).click();
  const question = page.getByRole('article', { name: 'Question' });
  await expect(question.getByRole('heading', { level: 2 })).toContainText("Call tool 'send'");
  await expect(question).toContainText('lead → clerk[1]');
  await expect(question).toContainText('approvals.rules.0');
  await expect(question.getByRole('definition').filter({ hasText: 'Hello Ann' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  // A key or a click in the first moments of a question answers nothing.
  const approve = question.getByRole('button', { name: /^Approve(?! and)/ });
  await expect(approve).toBeEnabled();
  if (isWide) await page.keyboard.press('a');
  else await approve.click();
  await expect(page.getByText('Hello Ann')).toHaveCount(0);

  await page.goto(`/r/${run}`);
  const asking = page.getByRole('region', { name: 'Questions to people' });
  await expect(asking).toContainText('Waits for an answer since');
  await asking.getByRole('button', { name: 'Answer' }).click();
  const decline = asking.getByRole('button', { name: /Decline/ });
  await expect(decline).toBeEnabled();
  await decline.click();
  await expect(asking.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await asking.getByRole('textbox', { name: 'Reason' }).fill('Bob is away.');
  expect(await seriousFaults(page)).toEqual([]);
  await asking.getByRole('button', { name: 'Decline', exact: true }).click();

  expect(await waitForEnd(url, run)).toBe('completed');
  await expect(asking).toHaveCount(0);
  const history = page.getByRole('list', { name: 'Calls and results' });
  await expect(history.getByRole('button', { name: /answer→ approved by local after/ })).toBeVisible();
  await expect(history.getByRole('button', { name: /answer→ denied by local: Bob is away\. after/ })).toBeVisible();
  const events = await readEvents(url, run);
  const ran = events.filter(({ kind }) => kind === 'tool.ended').map((event) => JSON.stringify(event.result));
  expect(ran.some((result) => result.includes('sent to ann'))).toBe(true);
  expect(ran.some((result) => result.includes('Bob is away.'))).toBe(true);
  expect(JSON.stringify(events)).not.toContain('sent to bob');
});

test('a person answers the form of a server, sees what it will get, and opens its link', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Server asks', {
    'agent-cards/lead.md': card('lead', 'default: true\nservers: [own]\n'),
    'server.mjs': modernStdioServer,
    'fast-agent.yaml': 'mcp: { servers: { own: { command: node, args: [server.mjs] } } }\n',
    'callboard.yaml': `version: 1
entry: lead
mcp: { elicitation: ask }
approvals: { hold_s: 0 }
scripts:
  lead:
    - turns:
        - calls: [{ tool: own__book, arguments: {} }]
        - text: "{{result}}"
`,
  });
  const run = await startRun(url, project, 'go');
  await page.goto(`/inbox?run=${run}`);
  const list = page.getByRole('navigation', { name: 'Questions' });
  await expect(list.getByRole('button')).toHaveCount(2);
  await list.getByRole('button', { name: /Which city/ }).click();
  const question = page.getByRole('article', { name: 'Question' });
  await question.getByRole('combobox', { name: 'City' }).click();
  await page.getByRole('option', { name: 'Bergen' }).click();
  await expect(question.getByRole('button', { name: 'Dismiss' })).toBeEnabled();
  expect(await seriousFaults(page)).toEqual([]);
  await question.getByRole('button', { name: 'Review answer' }).click();
  await expect(question.getByRole('region', { name: "Server 'own' gets this" })).toContainText('Bergen');
  await question.getByRole('button', { name: 'Send answer' }).click();

  await expect(question.getByRole('heading', { level: 2 })).toContainText('pay.example');
  await expect(question).toContainText('https://pay.example/1');
  const opens = page.waitForEvent('popup');
  await expect(question.getByRole('button', { name: /^Open link/ })).not.toHaveAttribute('aria-disabled', 'true');
  await question.getByRole('button', { name: /^Open link/ }).click();
  await opens;
  expect(await waitForEnd(url, run)).toBe('completed');
  const answer = JSON.stringify(await readEvents(url, run)).replaceAll('\\', '');
  expect(answer).toContain('"city":{"action":"accept","content":{"city":"Bergen"}}');
  expect(answer).toContain('"link":{"action":"accept"}');
});
