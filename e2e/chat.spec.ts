import type { Page } from '@playwright/test';
import type { FakeOpenAI, FakeReply, FakeRequest } from '../lib/testing/fake-openai';
import { type PieceTap, pieceTap } from '../lib/testing/piece-tap';
import { createProject } from './api';
import { startAppModel } from './app-model';
import { goToPage, seriousFaults, showPanel } from './pages';
import { expect, test } from './test';

/** A person talks with a graph: over turns, while it works, and while it asks. The model server answers what the message says. */

let model: FakeOpenAI;
let tap: PieceTap;

const card = (name: string, fields: string, text: string) =>
  `---\nname: ${name}\nmodel: openai.gpt-talk\n${fields}---\n${text}\n`;

const files = {
  'agent-cards/lead.md': card(
    'lead',
    'default: true\nagents: [kid]\nfunction_tools: [../tools.ts:send]\n',
    'You lead.',
  ),
  'agent-cards/kid.md': card('kid', '', 'You look things up.'),
  'tools.ts': 'export function send(args: { to: string }) {\n  return "sent to ".concat(args.to);\n}\n',
  'callboard.yaml':
    'version: 1\nentry: lead\napprovals:\n  hold_s: 0\n  rules:\n    - { tools: [send], effect: ask }\n',
};

function respond({ messages }: FakeRequest): FakeReply {
  if (!messages[0]?.text.includes('You lead')) return { text: 'It is **Bern**.' };
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const isAsked = messages.at(-1)?.role === 'user';
  const last = said.at(-1) ?? '';
  // A message with a file comes as JSON of its parts.
  if (last.includes('find the capital')) {
    if (!isAsked) return { text: '## Found\n\nThe capital is **Bern**.' };
    const toolCalls = [{ name: 'agent__kid', arguments: { text: 'Which is the capital?' } }];
    return { text: 'I ask somebody.', toolCalls };
  }
  if (last.startsWith('mail')) {
    return isAsked ? { toolCalls: [{ name: 'send', arguments: { to: 'ann' } }] } : { text: 'The mail is out.' };
  }
  if (last.startsWith('live')) return { pieces: tap };
  if (last.startsWith('break')) return { status: 400, text: 'There is no such model.' };
  return { text: `You said ${said.join(', then ')}.` };
}

test.beforeEach(() => {
  tap = pieceTap();
});

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
test.beforeAll(async ({}, { parallelIndex }) => {
  model = await startAppModel(parallelIndex, { stored: 'sk-of-the-operator', respond });
});

test.afterAll(async () => {
  tap?.end();
  await model?.close();
});

const turns = (page: Page) => page.getByRole('article', { name: /^Turn: / });
const turn = (page: Page, message: string) => page.getByRole('article', { name: `Turn: ${message}`, exact: true });
const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

async function say(page: Page, message: string): Promise<void> {
  await field(page).fill(message);
  await field(page).press('Enter');
  await expect(turn(page, message)).toBeVisible();
}

async function openChat(page: Page, project: string): Promise<void> {
  await page.goto(`/p/${project}/chat`);
  await expect(field(page)).toBeEditable();
}

test('a person talks over turns: what children do is a line that opens, and the next turn knows the last', {
  tag: '@phone-full',
}, async ({ page, viewport, baseURL }) => {
  const project = await createProject(baseURL ?? '', 'Talks', files);
  await openChat(page, project);
  await expect(page.getByText('Talk with lead')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  await field(page).fill('find the capital');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('please');
  await page
    .getByLabel('Write a message')
    .locator('input[type=file]')
    .setInputFiles({
      name: 'map.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Bern'),
    });
  await expect(page.getByRole('list', { name: 'Files of the message' })).toContainText('map.txt');
  await field(page).press('Enter');
  const first = turns(page).first();
  await expect(first.getByRole('list', { name: 'Attachments' })).toContainText('map.txt');
  await expect(first.getByRole('heading', { name: 'Found' })).toBeVisible();
  await expect(first.locator('strong')).toHaveText('Bern');
  await expect(first).toContainText('I ask somebody.');
  await expect(field(page)).toHaveValue('');
  await expect(page).toHaveURL(/chat\?conversation=/);

  const line = first.getByRole('button', { name: /kid\[1\].*Which is the capital/ });
  await line.focus();
  await page.keyboard.press('Enter');
  await expect(line).toHaveAttribute('aria-expanded', 'true');
  await expect(first.getByText('It is **Bern**.')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await expect(first.getByRole('link', { name: 'Open in the timeline' })).toHaveAttribute('href', /\/r\/.*\?span=\d+/);

  await say(page, 'again');
  await expect(turn(page, 'again').getByRole('region', { name: 'Answer' })).toContainText(
    /You said .*find the capital.*map\.txt.*, then again\./s,
  );
  await field(page).fill('not sent yet');
  await goToPage(page, 'Editor');
  await expect(page).toHaveURL(/\/p\/[^/]+$/);
  await goToPage(page, 'Chat');

  // The conversation is listed, and what was typed is still there.
  if ((viewport?.width ?? 0) < 600) await page.getByRole('button', { name: 'Conversations' }).click();
  const list = page.getByRole('list', { name: 'Conversations', exact: true });
  await list.getByRole('button', { name: /^find the capital.*2 turns/ }).click();
  await expect(turns(page)).toHaveCount(2);
  await expect(field(page)).toHaveValue('not sent yet');
  await turn(page, 'again').getByRole('link', { name: 'Open run' }).click();
  await page.getByRole('link', { name: 'Conversation', exact: true }).click();
  await expect(turns(page)).toHaveCount(2);

  if ((viewport?.width ?? 0) < 600) await page.getByRole('button', { name: 'Conversations' }).click();
  await list.getByRole('button', { name: /^Delete find the capital/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete conversation' }).click();
  await expect(list.getByRole('button', { name: /find the capital/ })).toHaveCount(0);
});

test('a question is answered in the conversation @full', async ({ page, baseURL }) => {
  const project = await createProject(baseURL ?? '', 'Asks', files);
  await openChat(page, project);
  await say(page, 'mail ann');
  const question = page.getByRole('article', { name: 'Question' });
  await expect(question.getByRole('heading', { level: 2 })).toContainText("Call tool 'send'");
  await expect(turn(page, 'mail ann')).toContainText('Waiting for people');
  expect(await seriousFaults(page)).toEqual([]);
  const approve = question.getByRole('button', { name: /^Approve(?! and)/ });
  await expect(approve).toBeEnabled();
  await approve.click();
  await expect(turn(page, 'mail ann').getByRole('region', { name: 'Answer' })).toContainText('The mail is out.');
  await expect(question).toHaveCount(0);
  await expect(turn(page, 'mail ann')).toContainText('approved by local');
});

test('messages queue behind an answer that is written; a reload goes on, and a failed turn is not known to the next @full', async ({
  page,
  baseURL,
}) => {
  const project = await createProject(baseURL ?? '', 'Queues', files);
  await openChat(page, project);
  await say(page, 'break it');
  const broken = turn(page, 'break it');
  await expect(broken.getByRole('region', { name: 'Failed turn' })).toContainText('There is no such model.');
  await expect(broken).toContainText('The next message does not know of it.');

  await say(page, 'live');
  const live = turn(page, 'live').getByRole('region', { name: 'Answer' });
  tap.send({ text: 'The weather ' });
  await expect(live).toContainText('The weather');
  await say(page, 'two');
  await say(page, 'three');
  await expect(turn(page, 'two')).toContainText('Waits for the message before');
  await page.reload();
  await expect(live).toContainText('The weather');
  tap.send({ text: 'is **fine**.' });
  await expect(live.locator('strong')).toHaveText('fine');
  await turn(page, 'two').getByRole('button', { name: 'Withdraw' }).click();
  await expect(turn(page, 'two').getByRole('region', { name: 'Stopped turn' })).toBeVisible();
  await expect(turn(page, 'three')).toContainText('Waits for the message before');

  tap.end();
  await expect(live).toContainText('The weather is fine.');
  await expect(turn(page, 'three').getByRole('region', { name: 'Answer' })).toContainText('You said live, then three.');
  await broken.getByRole('button', { name: 'Try again' }).click();
  await expect(field(page)).toHaveValue('break it');
  await expect(field(page)).toBeFocused();
  expect(await seriousFaults(page)).toEqual([]);
});

test('with "Keep talking" the dock of the editor goes on with a conversation, and says when a message waits in line @full', async ({
  page,
  baseURL,
}) => {
  const project = await createProject(baseURL ?? '', 'Docked', files);
  await page.goto(`/p/${project}`);
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: 'Run', exact: true }).click();
  const dock = page.getByRole('region', { name: 'Run', exact: true });
  const keep = page.getByRole('checkbox', { name: 'Keep talking' });
  await expect(keep).not.toBeChecked();
  await keep.click();
  await expect(keep).toBeChecked();
  await field(page).fill('one');
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(dock).toContainText('You said one.');

  const next = page.getByRole('textbox', { name: 'Follow-up', exact: true });
  const sendNext = page.locator('form').getByRole('button', { name: 'Send', exact: true });
  await expect(next).toHaveValue('');
  await next.fill('two');
  await sendNext.click();
  await expect(dock).toContainText('You said one, then two.');
  expect(await seriousFaults(page)).toEqual([]);

  // Somebody writes into the same conversation on the page Chat.
  const chat = await page.context().newPage();
  await chat.goto((await page.getByRole('link', { name: 'Open in Chat' }).getAttribute('href')) ?? '');
  await expect(turns(chat)).toHaveCount(2);
  await say(chat, 'live');
  tap.send({ text: 'The weather.' });
  await expect(turn(chat, 'live')).toContainText('The weather.');
  await next.fill('three');
  await sendNext.click();
  await expect(dock).toContainText('Waiting for the message before this one.');
  tap.end();
  await expect(dock).toContainText('You said one, then two, then live, then three.');
  await expect(turns(chat)).toHaveCount(4);
  await chat.close();

  await page.getByRole('button', { name: 'New conversation' }).click();
  await field(page).fill('four');
  await page.locator('form').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(dock).toContainText('You said four.');
});
