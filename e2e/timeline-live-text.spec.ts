import type { FakeOpenAI } from '../lib/testing/fake-openai';
import { type PieceTap, pieceTap } from '../lib/testing/piece-tap';
import { createProject, readEvents } from './api';
import { startAppModel } from './app-model';
import { openEditor, openRun, runFacts, runProject, seriousFaults } from './pages';
import { expect, test } from './test';

/** The model server sends each piece of its answer when the test says so. */

let model: FakeOpenAI;
let tap: PieceTap;

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
test.beforeAll(async ({}, { parallelIndex }) => {
  tap = pieceTap();
  model = await startAppModel(parallelIndex, {
    stored: 'sk-of-the-operator',
    respond: (request) => (request.model === 'gpt-live' ? { pieces: tap } : { text: 'Done.' }),
  });
});

test.afterAll(async () => {
  tap?.end();
  await model?.close();
});

test('what a model says appears in dock, lane and history while it says it, and not in the log', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Live text', {
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
  const during = await readEvents(url, run);
  expect(during.map(({ kind }) => kind)).not.toContain('model.ended');
  expect(JSON.stringify(during)).not.toContain('The weather ');

  tap.end();
  await expect(runFacts(page)).toContainText('Completed');
  await expect(inLanes).toBeHidden();
  await expect(history).not.toContainText('says→');
  await page.getByRole('tab', { name: 'Result' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Result' })).toContainText('The weather in Bern is fine.');
  await expect(inFull).toBeHidden();
  const holders = (await readEvents(url, run)).filter((event) => JSON.stringify(event).includes('The weather '));
  expect(holders.map(({ kind }) => kind)).toEqual(['model.ended', 'instance.ended', 'run.finished']);
});
