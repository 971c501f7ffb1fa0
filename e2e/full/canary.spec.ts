import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { settingsPages } from '@/lib/client/settings-pages';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { type FakeOpenAI, startFakeOpenAI } from '../../lib/testing/fake-openai';
import { answerHostile, hostileFolder, hostileScript } from '../../lib/testing/hostile-folder';
import { type RequestTrap, startRequestTrap } from '../../lib/testing/request-trap';
import { type SmtpListener, startSmtpListener } from '../../lib/testing/smtp-listener';
import { answerTelling, tellingFolder } from '../../lib/testing/telling-folder';
import { answerWhatIsAsked, createProject, readEvents, readFiles, startRun, waitForEnd, writeFiles } from '../api';
import { type AppProcess, startApp } from '../app-process';
import { expect, test } from '../test';
import { signedIn } from '../test-token';
import { expectClean, expectCleanHistory, expectCleanRun, read, secrets } from './canary-reads';

/**
 * These tests check that nothing of the operator's environment reaches a project, except the variables that the operator
 * gave it.
 */

test.describe.configure({ mode: 'serial' });

const { canary, key, stored, shared, mail, listed } = secrets;
/** Without a fence a program of the same user can read the launcher's variables, as docs/security.md says. */
const looksAround = systemFence().kind !== 'none';

let trap: RequestTrap;
let model: FakeOpenAI;
let post: SmtpListener;
let app: AppProcess;

test.beforeAll(async () => {
  trap = await startRequestTrap();
  post = await startSmtpListener();
  const [hostile, telling] = [answerHostile(looksAround), answerTelling(shared)];
  model = await startFakeOpenAI({
    respond: (request) => (request.tools.some(({ name }) => name === 'teller__tell') ? telling : hostile)(request),
  });
  app = await startApp({
    CANARY: canary,
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: model.url,
    LISTED: listed,
    CALLBOARD_PROJECT_ENV: 'LISTED',
    CALLBOARD_SMTP_URL: `smtp://mailer:${mail}@127.0.0.1:${post.port}`,
    CALLBOARD_MAIL_FROM: 'callboard@example.org',
    CALLBOARD_MAIL_TO: 'ana@example.org',
    CALLBOARD_WEBHOOK_URL: `${trap.url}/notice`,
    CALLBOARD_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    CALLBOARD_PYTHON: '1',
    CALLBOARD_SHELL: '1',
  });
});

test.afterAll(async () => {
  await app?.stop();
  await model?.close();
  await trap?.close();
  await post?.close();
});

test('a hostile folder gets no secret of the operator, and a listed variable arrives', async () => {
  const project = await createProject(app.url, 'Hostile', hostileFolder(trap.url, { looksAround }));
  await putSecret(`STORED?project=${project}`, stored);
  await putSecret('SHARED', shared);
  const run = await startRun(app.url, project, `\${CANARY} {{env:CANARY}}`);
  expect(await waitForEnd(app.url, run)).toBe('completed');
  const events = JSON.stringify(await readEvents(app.url, run));

  // Each program of the project did run and look.
  expect(events).toMatch(/server looked at \d+ processes/);
  expect(events).toMatch(/python looked at \d+ processes/);
  expect(events).toMatch(/hook looked at \d+ processes/);
  expect(events).toMatch(/shell looked at \d+ processes/);
  expect(events).toContain('script looked: {}');
  expect(trap.requests.some((request) => request.startsWith('/stolen'))).toBe(true);
  expect(trap.requests.some((request) => request.startsWith('/fallback?k=none&o=none&d=none'))).toBe(true);
  expect(trap.requests.some((request) => request.startsWith('/text'))).toBe(true);
  // A variable that the project needs and does not get is named, with the next step.
  expect(events).toContain("Server 'wanting' cannot be used: it asks for the variable OPENAI_API_KEY.");
  expect(events).toContain("Server 'own' cannot be used: it asks for the variable");

  // In contrast, the listed variable is filled in, and hidden where it is recorded.
  expect(
    trap.requests.some((request) => request.startsWith(`/given?l=${listed}`) && request.split(listed).length > 2),
  ).toBe(true);
  expect(events).toContain(`given ${createHash('sha256').update(listed).digest('hex')}`);
  expect(events).toContain('given=***');
  expect(events).not.toContain(listed);

  // The key goes to the model's server in its one header, and nowhere else.
  expect(model.requests.length).toBeGreaterThanOrEqual(2);
  for (const { headers, body } of model.requests) {
    const { authorization, ...others } = headers;
    expect(authorization).toBe(`Bearer ${key}`);
    // The folder lets its servers ask the model, and one of them sends it what it was given.
    expectClean('a request to the model', JSON.stringify([others, body]), ['listed']);
  }
  for (const request of trap.requests) {
    expectClean('a request to a server of the folder', request, request.startsWith('/given') ? ['listed'] : []);
  }
  await expectCleanRun(app.url, project, run);
});

test('a script names variables in vain', async () => {
  const project = await createProject(app.url, 'Script', hostileScript());
  const run = await startRun(app.url, project, 'Go');
  expect(await waitForEnd(app.url, run)).toBe('completed');
  expect(JSON.stringify(await readEvents(app.url, run))).toContain('script got');
  await expectCleanRun(app.url, project, run);
});

test('secrets that a server gets and returns show as *** on every page', async ({ browser }) => {
  const project = await createProject(app.url, 'Telling', tellingFolder(trap.url, { asks: true }));
  await putSecret(`STORED?project=${project}`, stored);
  await putSecret('SHARED', shared);
  const run = await startRun(app.url, project, 'Tell');
  await expectCleanQuestion(run);
  await answerWhatIsAsked(app.url, run, ['approve']);
  expect(await waitForEnd(app.url, run)).toBe('completed');

  // The values did arrive, in the process, in the address and in the headers.
  const sum = createHash('sha256').update([stored, shared, listed, stored].join(' ')).digest('hex');
  const texts = await expectCleanRun(app.url, project, run);
  expect(texts.get('events')).toContain(`sum=${sum}`);
  const echoed = trap.requests.filter((request) => request.startsWith(`/echo?s=${stored}`));
  expect(echoed.some((request) => request.includes(shared) && request.includes(listed))).toBe(true);
  const told = 'stored=*** shared=*** listed=***';
  for (const where of ['Tells', 'In the call:', 'It failed:']) {
    expect(texts.get('events')).toContain(`${where} ${told}`);
  }
  expect(texts.get('events')).toContain('/echo?s=***');
  const shows = [...texts].flatMap(([what, text]) => (text.includes(told) ? [what] : []));
  const live = [
    'events',
    'runs/RUN',
    'runs/RUN/export?as=events',
    'runs/RUN/export?as=html',
    'runs/RUN/events?view=slim',
  ];
  const pages = ['/r/RUN', '/compare?a=RUN&b=RUN'];
  const linked = ['link', 'link/api', 'link/api/events', 'link/api/events?view=slim'];
  expect(shows).toEqual([...live, ...pages, ...linked]);

  await test.step('saved as a test, it is in revisions, a review, git and programs that ask', async () => {
    const page = await browser.newPage();
    await page.goto(app.signInUrl);
    await page.goto(`${app.url}/p/${project}/tests/new?run=${run}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('told');
    await page.getByRole('button', { name: 'Save test' }).click();
    await expect(page).toHaveURL(/\/tests$/);
    expectClean('the page of tests', await page.content());
    const files = await readFiles(app.url, project);
    expect(files['tests/told.recording.jsonl']).toContain(told);
    await send(`projects/${project}/releases`, { override: 'Its test has not run.' });
    await writeFiles(app.url, project, {
      ...files,
      ...tellingFolder(trap.url, { asks: false }),
      'tests/told.recording.jsonl': `${files['tests/told.recording.jsonl']}\n`,
    });
    await send(`projects/${project}/reviews`, { title: 'Asks nobody' });
    for (const address of [
      'revisions',
      'revisions/1',
      'revisions/2',
      'releases',
      'releases/check',
      'reviews',
      'reviews/1',
      'drafts',
    ]) {
      expectClean(address, await read(`${app.url}/api/v1/projects/${project}/${address}`));
    }
    await page.goto(`${app.url}/p/${project}/reviews/1`);
    await expect(page.getByText('tests/told.recording.jsonl').first()).toBeVisible();
    expectClean('the page of a review', await page.content());
    await page.goto(`${app.url}/p/${project}/revisions`);
    await page.getByRole('button', { name: 'Compare revision 2' }).click();
    await expect(page.getByRole('region', { name: 'Changes between revisions' })).toContainText(
      'tests/told.recording.jsonl',
    );
    expectClean('compared revisions', await page.content());
    await page.close();
    expect(await expectCleanHistory(app.url, project)).toContain(told);
  });

  await test.step('programs that call the project', async () => {
    await send(`projects/${project}/reviews/1/publish`, { revision: 2, override: 'Its test has not run.' });
    const mcp = await send(`projects/${project}/mcp`, {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'lead', arguments: { message: 'Tell' }, _meta: { progressToken: 1 } },
    });
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Tell' }] };
    const a2a = await send(`projects/${project}/a2a`, {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message },
    });
    for (const [what, text] of Object.entries({ mcp, a2a })) {
      expect([what, text]).toEqual([what, expect.stringContaining(told)]);
      expectClean(what, text);
    }
  });
});

/** Waits until a person is asked and told, and looks at the question and at what left the installation about it. */
async function expectCleanQuestion(run: string): Promise<void> {
  const list = async () => await read(`${app.url}/api/v1/pending?run=${run}`);
  await expect.poll(list, { timeout: 60_000 }).toContain('teller__tell');
  const { items } = JSON.parse(await list());
  const [{ id }] = items;
  const question = await read(`${app.url}/api/v1/pending/${id}`);
  expect(question).toContain('***');
  for (const [what, text] of Object.entries({
    list: await list(),
    question,
    inbox: await read(`${app.url}/inbox?item=${id}`),
  })) {
    expectClean(what, text);
  }
  await expect.poll(() => post.mails.length, { timeout: 60_000 }).toBeGreaterThan(0);
  const notice = () => trap.requests.find((request) => request.startsWith('/notice') && request.includes(id));
  await expect.poll(notice, { timeout: 60_000 }).toBeDefined();
  expectClean('the notice to a webhook', notice() ?? '');
  for (const { source } of post.mails) expectClean('a mail', source);
  expect(post.signIns).toContain(`mailer ${mail}`);
}

test('nothing that the app keeps or shows contains a secret', async () => {
  // The page of people is there with accounts alone.
  const settings = settingsPages.filter(({ id: page }) => page !== 'people').map(({ href }) => href);
  for (const address of ['/api/health', '/api/v1/projects', '/api/v1/runs', ...settings, '/']) {
    const answer = await fetch(`${app.url}${address}`, { headers: signedIn });
    expect(answer.ok, address).toBe(true);
    expectClean(address, await answer.text());
  }
  let files = 0;
  for (const entry of readdirSync(app.dataFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = await readIfThere(file);
    if (content === undefined) continue;
    expectClean(file, content);
    files += 1;
  }
  expect(files).toBeGreaterThan(100);
  expect(app.printed()).toContain('ready');
  expectClean('the log of the launcher', app.printed());
});

/** Returns the bytes of a file as text. The app is at work, so a file of the list may be gone: then `undefined`. */
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

test('a backup with every row contains no secret', async () => {
  const env = { ...process.env, CALLBOARD_DATA: app.dataFolder, PORT: new URL(app.url).port };
  const options = { env, encoding: 'buffer', maxBuffer: 2 ** 30 } as const;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['bin/callboard.mjs', 'backup', '-'], options);
  const rows = gunzipSync(stdout).toString('latin1');
  expect(rows).toContain('stored=*** shared=*** listed=***');
  expectClean('a backup', rows);
  expectClean('what the backup says', stderr.toString());
});

test('no process of the app but the launcher has them in its environment', () => {
  test.skip(process.platform !== 'linux', 'There is no /proc.');
  for (const part of ['web', 'worker'] as const) {
    expect([part, app.pids(part).length > 0]).toEqual([part, true]);
    for (const pid of app.pids(part))
      expectClean(`the environment of ${part}`, readFileSync(`/proc/${pid}/environ`, 'latin1'));
  }
});

/** Sends a request that has to succeed, and returns the answer. */
async function send(address: string, body: unknown): Promise<string> {
  const headers = {
    ...{ ...signedIn, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    'a2a-version': '1.0',
  };
  const answer = await fetch(`${app.url}/api/v1/${address}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  expect([address, answer.ok, text]).toEqual([address, true, text]);
  return text;
}

async function putSecret(name: string, value: string): Promise<void> {
  const [path, query = ''] = name.split('?');
  const answer = await fetch(`${app.url}/api/v1/secrets/${path}?${query}`, {
    method: 'PUT',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  });
  expect(answer.status).toBe(204);
}
