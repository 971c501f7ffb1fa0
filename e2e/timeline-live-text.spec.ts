import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readOtlpJson } from '../lib/interop/otlp/read-otlp-json';
import { type FakeOpenAI, startFakeOpenAI } from '../lib/testing/fake-openai';
import { type PieceTap, pieceTap } from '../lib/testing/piece-tap';
import { createProject, readEvents } from './api';
import { type AppProcess, startApp } from './app-process';
import { openEditor, openRun, runFacts, runProject, seriousFaults } from './pages';
import { expect, test } from './test';
import { signedInBrowser } from './test-token';

/** The model server sends each piece of its answer when the test says so. A collector receives the spans of the run. */

let model: FakeOpenAI;
let app: AppProcess;
let tap: PieceTap;
let collector: http.Server;
const spans: string[] = [];

test.beforeAll(async () => {
  tap = pieceTap();
  model = await startFakeOpenAI({
    respond: (request) => (request.model === 'gpt-live' ? { pieces: tap } : { text: 'Done.' }),
  });
  collector = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      if (request.headers.authorization === 'Bearer of-the-collector')
        spans.push(...readOtlpJson(body).spans.map(({ name }) => name));
      response.end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  app = await startApp({
    OPENAI_API_KEY: 'sk-of-the-operator',
    OPENAI_BASE_URL: model.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
});

test.afterAll(async () => {
  tap?.end();
  await app?.stop();
  await model?.close();
  collector?.close();
});

test('what a model says appears in dock, lane and history while it says it, and not in the log', async ({
  browser,
}) => {
  const port = Number(new URL(app.url).port);
  const context = await browser.newContext({ storageState: signedInBrowser(port), baseURL: app.url });
  const page = await context.newPage();
  const project = await createProject(app.url, 'Live text', {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: openai.gpt-live\n---\nSay the weather.\n',
  });
  const inLanes = page.getByRole('list', { name: 'What models say now' });
  const inFull = page.getByRole('region', { name: 'What models say now' });
  const history = page.getByRole('list', { name: 'Calls and results' });

  await openEditor(page, project);
  await runProject(page, 'Hello');
  tap.send({ reasoning: 'They ask about Bern.' });
  await expect(inLanes).toContainText('They ask about Bern.');
  tap.send({ text: 'The weather ' });
  await expect(inLanes).toContainText('The weather');
  await expect(inFull).toContainText('They ask about Bern.');
  await expect(inFull).toContainText('The weather');

  // A page that opens in the middle of the call has the text so far.
  await openRun(page);
  await expect(inLanes).toContainText('lead: The weather');
  await expect(history).toContainText('says→The weather');
  tap.send({ text: 'in Bern is fine.' });
  await expect(inLanes).toContainText('The weather in Bern is fine.');
  await expect(history).toContainText('says→The weather in Bern is fine.');
  await history.getByRole('button', { name: /says→/ }).click();
  await expect(page.getByRole('region', { name: 'Answer so far' })).toContainText('The weather in Bern is fine.');
  expect(await seriousFaults(page)).toEqual([]);

  const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const during = await readEvents(app.url, run);
  expect(during.map(({ kind }) => kind)).not.toContain('model.ended');
  expect(JSON.stringify(during)).not.toContain('The weather ');

  tap.end();
  await expect(runFacts(page)).toContainText('Completed');
  await expect(inLanes).toBeHidden();
  await expect(history).not.toContainText('says→');
  await page.getByRole('tab', { name: 'Result' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Result' })).toContainText('The weather in Bern is fine.');
  await expect(inFull).toBeHidden();
  const holders = (await readEvents(app.url, run)).filter((event) => JSON.stringify(event).includes('The weather '));
  expect(holders.map(({ kind }) => kind)).toEqual(['model.ended', 'instance.ended', 'run.finished']);
  await expect.poll(() => spans).toContain('chat gpt-live');
  await context.close();
});
