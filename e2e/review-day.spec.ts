import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Page } from '@playwright/test';
import { type AppProcess, startApp } from './app-process';
import { graph, openEditor, save, seriousFaults } from './pages';
import { accept, invite, makeProject, newPerson, setUp, withAccounts } from './people';
import { expect, test } from './test';

/**
 * A day of three people, each in a browser of their own: Ed proposes a hook and a tool, Rae reviews it, Ada administers the
 * project, whose policy asks for one approval of somebody else.
 */

test.describe.configure({ mode: 'serial' });

let app: AppProcess;
let office: Server;
let project: string;
let ada: Page;
let ed: Page;
let rae: Page;

const card = (name: string, fields: string, text: string) => `---\nname: ${name}\n${fields}---\n${text}\n`;
const hook = (name: string) =>
  `export async function ${name}(ctx: object, args: object, next: (args: object) => Promise<object>) {\n  return next(args);\n}\n`;
const filesWith = (url: string) => ({
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [writer]\n', 'Lead.'),
  'agent-cards/reader.md': card('reader', '', 'Read.'),
  'agent-cards/writer.md': card(
    'writer',
    'servers: [office]\ntools: {office: [read]}\ntool_hooks: [../hooks.ts:audit]\n',
    'Write what is asked for.',
  ),
  'hooks.ts': `${hook('audit')}${hook('shorten')}`,
  'fastagent.config.yaml': `mcp:\n  servers:\n    office:\n      transport: http\n      url: ${url}\n`,
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__writer, arguments: { text: Write } }]
        - text: "{{result}}"
  writer:
    - turns:
        - calls: [{ tool: office__read, arguments: {} }]
        - text: "{{result}}"
`,
});

test.beforeAll(async ({ browser }) => {
  office = await startOffice();
  app = await startApp(withAccounts);
  ada = await newPerson(browser, app.url);
  ed = await newPerson(browser, app.url);
  rae = await newPerson(browser, app.url);
  await setUp(ada, app, 'Ada');
  const { port } = office.address() as AddressInfo;
  project = await makeProject(ada, 'Office', filesWith(`http://127.0.0.1:${port}/mcp`));
  await ada.goto(`/p/${project}/members`);
  await accept(ed, await invite(ada, 'Ed', 'editor'), 'Ed');
  await accept(rae, await invite(ada, 'Rae', 'reviewer'), 'Rae');
});

test.afterAll(async () => {
  for (const person of [ada, ed, rae]) await person?.context().close();
  await app?.stop();
  office?.closeAllConnections();
  office?.close();
});

test('the project is live, and its admin asks for an approval of somebody else', async () => {
  await openEditor(ada, project);
  await ada.locator('header').getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = ada.getByRole('dialog', { name: 'Publish this project' });
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(ada.getByText('Revision 1 is live.')).toBeVisible();
  const policy = { approvals: 1, authorMayApprove: false, owners: [] };
  expect(await send(ada, 'PUT', 'review-policy', policy)).toBe(204);
});

test('an editor proposes a hook, a looser filter and a child, and may not publish them', async () => {
  await openEditor(ed, project);
  await rewriteCard(ed, 'writer', filesWith('')['agent-cards/writer.md'], [
    ['[read]', '[read, send]'],
    ['audit]', 'audit, ../hooks.ts:shorten]'],
  ]);
  await rewriteCard(ed, 'lead', filesWith('')['agent-cards/lead.md'], [['[writer]', '[writer, reader]']]);
  await save(ed);
  await ed.goto(`/p/${project}/reviews`);
  const form = ed.getByRole('form', { name: 'New review' });
  await form.getByLabel('Title').fill('Letters are sent');
  await form.getByLabel('What changes, and why').fill('The writer sends what it wrote.');
  await form.getByRole('button', { name: 'Open review' }).click();
  await expect(ed.getByRole('heading', { name: /Letters are sent/ })).toBeVisible();
  await expect(part(ed, 'What it can do')).toContainText('send');
  await expect(part(ed, 'Decision').getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  expect(await seriousFaults(ed)).toEqual([]);
});

test('a reviewer comments at a line, a bead and an edge, suggests a text, and approves', async () => {
  await rae.goto(`/p/${project}/reviews/1`);
  const drawn = part(rae, 'Graph');
  await drawn.getByRole('button', { name: /^Hook \d: \.\.\/hooks\.ts:shorten, of writer, added/ }).click();
  await say(rae, "the hook ../hooks.ts:shorten of 'writer'", 'What does it shorten?');
  await drawn.getByRole('button', { name: 'delegation from lead to reader, added' }).click();
  await say(rae, "the edge from 'lead' to 'reader'", 'Why does the lead read?');

  const files = part(rae, 'Files');
  await files.scrollIntoViewIfNeeded();
  const number = 1 + (await cardOf(ed, 'writer')).split('\n').findIndex((line) => line.startsWith('tools:'));
  await files.getByRole('button', { name: `Comment on line ${number} of agent-cards/writer.md`, exact: true }).click();
  await files.getByRole('textbox', { name: `Comment on line ${number}`, exact: true }).fill('May it write only? @ed');
  await files.getByRole('button', { name: 'Suggest a text' }).click();
  await files.getByLabel('New text of these lines').fill('tools: {office: [send]}');
  await files.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(threads(rae)).toHaveCount(3);
  expect(await seriousFaults(rae)).toEqual([]);
  await part(rae, 'Decision').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(verdicts(rae)).toContainText('Rae approved');
});

test('the author hears of the mention and the approval, and Ada of the review', async () => {
  await ed.goto('/notices');
  const told = ed.getByRole('list', { name: 'Notices' });
  await expect(told).toContainText('Rae approved review 1 of Office');
  await expect(told).toContainText('Rae mentions you in review 1 of Office');
  await ada.goto('/notices');
  await expect(ada.getByRole('list', { name: 'Notices' })).toContainText('Ed asks for review 1 of Office');
});

test('a new version outdates one comment, keeps two, and ends the approval with its reason', async () => {
  await openEditor(ed, project);
  await rewriteCard(ed, 'lead', await cardOf(ed, 'lead'), [['[writer, reader]', '[writer]']]);
  await save(ed);
  await ed.goto(`/p/${project}/reviews/1`);
  await part(ed, 'Decision').getByRole('button', { name: 'Add what the main draft has now' }).click();
  await expect(verdicts(ed)).toContainText('made it stale');
  await expect(verdicts(ed)).toContainText('lead.md');
  await expect(threads(ed).filter({ hasText: 'outdated since version 2' })).toHaveCount(1);
  await expect(threads(ed).filter({ hasText: 'Why does the lead read?' })).toContainText('outdated since version 2');

  await rae.reload();
  await part(rae, 'Decision').getByRole('button', { name: 'Publish', exact: true }).click();
  const refused = rae.getByRole('dialog');
  await expect(refused).toContainText(/approv/);
  await refused.getByRole('button', { name: 'Cancel' }).click();
});

test('the suggestion is applied, approved and published, a run of live uses it, and Ada rolls back', async () => {
  const suggested = threads(ed).filter({ hasText: 'May it write only?' });
  await suggested.getByRole('button', { name: 'Apply to the draft' }).click();
  await expect(suggested).toContainText('It is in the draft.');
  await part(ed, 'Decision').getByRole('button', { name: 'Add what the main draft has now' }).click();
  await expect(ed.getByText('version 3 of the main draft')).toBeVisible();
  await expect(part(ed, 'Decision').getByRole('button', { name: 'Approve', exact: true })).toBeDisabled();
  expect(await cardOf(ed, 'writer')).toContain('tools: {office: [send]}');

  await rae.reload();
  await part(rae, 'Decision').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(verdicts(rae).getByText('Rae approved')).toHaveCount(2);
  await part(rae, 'Decision').getByRole('button', { name: 'Publish', exact: true }).click();
  await rae.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(rae.getByText('published').first()).toBeVisible();

  await confirm(ada);
  const live = await startRun(ada);
  await ada.goto(`/r/${live}`);
  await expect(ada.getByRole('link', { name: /revision 4/i }).first()).toBeVisible();

  await ada.goto(`/p/${project}/revisions`);
  const now = ada.getByRole('region', { name: 'Live' });
  await expect(now).toContainText('Revision 4 is live');
  await now.getByRole('button', { name: 'Roll back' }).click();
  await ada
    .getByRole('dialog')
    .or(ada.getByRole('alertdialog'))
    .getByRole('button', { name: /^Roll back/ })
    .click();
  await expect(now).toContainText('Revision 1 is live');
});

test('without a hook that the administrator requires, nothing is published and nothing runs', async () => {
  await ada.goto(`/settings/policy?project=${project}`);
  await ada.getByRole('button', { name: 'New rule' }).click();
  const form = ada.getByRole('dialog', { name: 'New rule' });
  await form.getByLabel('Name').fill('The office is guarded');
  await form.getByLabel('Hook', { exact: true }).fill('guard.ts:guard');
  await form.getByLabel('Tools', { exact: true }).fill('office__*');
  await form.getByRole('button', { name: 'Store' }).click();
  await expect(ada.getByRole('list', { name: 'Rules' })).toContainText('The office is guarded');

  await openEditor(rae, project);
  await rae.locator('header').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(rae.getByRole('dialog')).toContainText(
    "The rule 'The office is guarded' of your team is broken in agent 'writer'",
  );
  await expect(rae.getByRole('dialog')).toContainText('ask an admin of the project to go on with a reason.');
  await rae.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  const run = await startRun(ed);
  await ed.goto(`/r/${run}`);
  await expect(ed.getByText(/The rule 'The office is guarded' of your team is broken/).first()).toBeVisible();
});

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const threads = (page: Page) => part(page, 'Comments').getByRole('list', { name: 'Threads' }).locator('> li');
const verdicts = (page: Page) => page.getByRole('list', { name: 'Verdicts' });

/** Writes into the box of the chosen part and sends it. */
async function say(page: Page, about: string, body: string): Promise<void> {
  const chosen = page.getByRole('region', { name: 'Chosen part' });
  await chosen.getByRole('textbox', { name: `Comment on ${about}`, exact: true }).fill(body);
  await chosen.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(threads(page).filter({ hasText: body })).toBeVisible();
}

/** Types another text of a card into the tab *Card*. `text` is what it has now. */
async function rewriteCard(
  page: Page,
  name: string,
  text: string,
  changes: readonly [string, string][],
): Promise<void> {
  await graph(page).getByText(name, { exact: true }).first().click();
  await page.getByRole('tab', { name: 'Card' }).click();
  await page.getByLabel(`Text of agent-cards/${name}.md`).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(changes.reduce((all, [from, to]) => all.replace(from, to), text));
}

async function cardOf(page: Page, name: string): Promise<string> {
  const all = await page.evaluate(
    async (project) => await (await fetch(`/api/v1/projects/${project}/files`)).json(),
    project,
  );
  return all.files[`agent-cards/${name}.md`];
}

/** Sends a body as a script of the page, signed in by its cookie. Returns the status. */
async function send(page: Page, method: string, at: string, body: unknown): Promise<number> {
  return await page.evaluate(
    async ([method, path, text]) =>
      (await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: text })).status,
    [method, `/api/v1/projects/${project}/${at}`, JSON.stringify(body)] as const,
  );
}

/** Confirms what the folder would call, as the administrator does in the dialog. */
async function confirm(page: Page): Promise<void> {
  const status = await page.evaluate(async (project) => {
    const at = `/api/v1/projects/${project}/trust`;
    const { hash } = await (await fetch(at)).json();
    const headers = { 'content-type': 'application/json' };
    return (await fetch(at, { method: 'POST', headers, body: JSON.stringify({ hash }) })).status;
  }, project);
  expect(status).toBe(200);
}

async function startRun(page: Page): Promise<string> {
  return await page.evaluate(async (project) => {
    const answer = await fetch(`/api/v1/projects/${project}/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Go' }),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(said));
    return String(said.runId);
  }, project);
}

/** Starts an MCP server of two tools. It keeps no sessions. */
async function startOffice(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const mcp = new McpServer({ name: 'office', version: '1' });
    for (const name of ['read', 'send']) {
      mcp.registerTool(name, { description: `${name}s letters` }, () => ({
        content: [{ type: 'text', text: `${name} done` }],
      }));
    }
    const transport = new StreamableHTTPServerTransport({});
    response.once('close', () => void mcp.close());
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
