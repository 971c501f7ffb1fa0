import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { type FakeOpenAI, startFakeOpenAI } from '../lib/testing/fake-openai';
import { holdsSecret } from '../lib/testing/find-secret';
import { answerHostile, hostileFolder, hostileScript } from '../lib/testing/hostile-folder';
import { type RequestTrap, startRequestTrap } from '../lib/testing/request-trap';
import { createProject, readEvents, startRun, waitForEnd } from './api';
import { type AppProcess, startApp } from './app-process';
import { expect, test } from './test';
import { signedIn } from './test-token';

/**
 * These tests check that nothing of the operator's environment reaches a project, except the variables that the operator
 * gave it.
 */

test.describe.configure({ timeout: 240_000, mode: 'serial' });

const canary = 'cnry-5b8e21f0c4d7a963-unlisted';
const key = 'sk-cnry-61d0f7a2b95c4e38-of-the-operator';
/** Secrets that people keep in Settings, and the password of the mail server. */
const stored = 'strd-cnry-83b0e6d2f914-of-the-project';
const shared = 'inst-cnry-2c97fa05d8b3-of-the-installation';
const mail = 'smtp-cnry-f40a1b68c7d9-password';
const listed = 'lstd-9d31c0aa47be5562-given';
/** Without a fence a program of the same user can read the launcher's variables, as docs/security.md says. */
const looksAround = systemFence().kind !== 'none';

let trap: RequestTrap;
let model: FakeOpenAI;
let app: AppProcess;

test.beforeAll(async () => {
  trap = await startRequestTrap();
  model = await startFakeOpenAI({ respond: answerHostile(looksAround) });
  app = await startApp({
    CANARY: canary,
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: model.url,
    LISTED: listed,
    CALLBOARD_PROJECT_ENV: 'LISTED',
    CALLBOARD_SMTP_URL: `smtp://mailer:${mail}@127.0.0.1:9`,
    CALLBOARD_MAIL_FROM: 'callboard@example.org',
    CALLBOARD_PYTHON: '1',
    CALLBOARD_SHELL: '1',
  });
});

test.afterAll(async () => {
  await app?.stop();
  await model?.close();
  await trap?.close();
});

test('S14: a hostile folder gets nothing of the operator, and a listed variable arrives', async () => {
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
    expectClean('a request to the model', JSON.stringify([others, body]));
  }
  for (const request of trap.requests) expectClean('a request to a server of the folder', request);
  await expectCleanRun(project, run);
});

test('a script names variables in vain', async () => {
  const project = await createProject(app.url, 'Script', hostileScript());
  const run = await startRun(app.url, project, 'Go');
  expect(await waitForEnd(app.url, run)).toBe('completed');
  expect(JSON.stringify(await readEvents(app.url, run))).toContain('script got');
  await expectCleanRun(project, run);
});

test('S14: what the app keeps and shows holds none of it', async () => {
  for (const address of ['/api/health', '/api/v1/projects', '/api/v1/runs', '/settings', '/']) {
    const answer = await fetch(`${app.url}${address}`, { headers: signedIn });
    expect(answer.ok, address).toBe(true);
    expectClean(address, await answer.text());
  }
  let files = 0;
  for (const entry of readdirSync(app.dataFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = readIfThere(file);
    if (content === undefined) continue;
    expectClean(file, content);
    files += 1;
  }
  expect(files).toBeGreaterThan(100);
  expect(app.printed()).toContain('ready');
  expectClean('the log of the launcher', app.printed());
});

/** Returns the bytes of a file as text. The app is at work, so a file of the list may be gone: then `undefined`. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file).toString('latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

test('no process of the app but the launcher has them in its environment', () => {
  test.skip(process.platform !== 'linux', 'There is no /proc.');
  for (const part of ['web', 'worker'] as const) {
    expect([part, app.pids(part).length > 0]).toEqual([part, true]);
    for (const pid of app.pids(part))
      expectClean(`the environment of ${part}`, readFileSync(`/proc/${pid}/environ`, 'latin1'));
  }
});

/** Reads everything the API tells about a run and its project, and expects no secret in it. */
async function expectCleanRun(project: string, run: string): Promise<void> {
  expectClean('the events', JSON.stringify(await readEvents(app.url, run)));
  for (const address of [
    `runs/${run}`,
    `runs/${run}/timeline`,
    `runs/${run}/graph`,
    `runs/${run}/otlp`,
    ...['chrome', 'csv', 'events', 'html'].map((form) => `runs/${run}/export?as=${form}`),
    `runs/${run}/digests`,
    `runs/${run}/changes?to=${run}`,
    `runs/${run}/search?text=env`,
    `runs/${run}/events?view=slim`,
    'runs/export?format=csv',
    'runs/export?format=json',
    `projects/${project}/files`,
    `projects/${project}/trust`,
    `projects/${project}/servers`,
    `secrets?project=${project}`,
    'secrets',
    'audit',
    'audit/export',
  ]) {
    const answer = await fetch(`${app.url}/api/v1/${address}`, { headers: signedIn });
    expect(answer.ok, address).toBe(true);
    expectClean(address, Buffer.from(await answer.arrayBuffer()).toString('latin1'));
  }
  for (const query of ['format=zip', 'format=zip&for=fast-agent']) {
    const zip = await fetch(`${app.url}/api/v1/projects/${project}/files?${query}`, { headers: signedIn });
    for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await zip.arrayBuffer())))) {
      expectClean(`${name} of the export`, Buffer.from(bytes).toString('latin1'));
    }
  }
  for (const page of [`/r/${run}`, `/compare?a=${run}&b=${run}`, `/p/${project}`]) {
    expectClean(page, await (await fetch(`${app.url}${page}`, { headers: signedIn })).text());
  }
  await expectCleanLink(run);
  await expectCleanErrors(project);
}

/** A link with texts shows the most that a stranger may see. */
async function expectCleanLink(run: string): Promise<void> {
  const made = await fetch(`${app.url}/api/v1/runs/${run}/shares`, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: JSON.stringify({ hours: 1, texts: true }),
  });
  const { address } = await made.json();
  const opened = await fetch(address, { redirect: 'manual' });
  const page = opened.headers.get('location') ?? '';
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const rest of ['', '/api', '/api/timeline', '/api/graph', '/api/events', '/api/events?view=slim']) {
    const answer = await fetch(`${page}${rest}`, { headers: { cookie, accept: 'text/event-stream, */*' } });
    expect([rest, answer.status]).toEqual([rest, 200]);
    expectClean(`the link, ${rest}`, Buffer.from(await answer.arrayBuffer()).toString('latin1'));
  }
}

/** Answers to requests that go wrong. */
async function expectCleanErrors(project: string): Promise<void> {
  const json = { ...signedIn, 'content-type': 'application/json' };
  const wrong: readonly [string, RequestInit][] = [
    [`projects/${project}/runs`, { method: 'POST', body: '{' }],
    [`projects/${project}/runs`, { method: 'POST', body: '{"agent": 7}' }],
    [`secrets/STORED?project=${project}`, { method: 'PUT', body: '{"value": 7}' }],
    ['secrets/OPENAI_API_KEY/test', { method: 'POST', body: '{"value": ""}' }],
    ['runs/none', {}],
  ];
  for (const [address, init] of wrong) {
    const answer = await fetch(`${app.url}/api/v1/${address}`, { headers: json, ...init });
    expect([address, answer.status >= 400]).toEqual([address, true]);
    expectClean(`the refusal of ${address}`, await answer.text());
  }
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

/** Expects that a text has no secret. The message says which, and where. */
function expectClean(what: string, text: string): void {
  const secrets = { canary, key, stored, shared, mail };
  const found = Object.entries(secrets).filter(([, secret]) => holdsSecret(text, secret));
  expect({ what, found: found.map(([name]) => name) }).toEqual({ what, found: [] });
}
