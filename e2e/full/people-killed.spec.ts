import { createProject, waitForEnd } from '../api';
import { type AppProcess, startApp, waitUntilHealthy } from '../app-process';
import { invitations } from '../invitations';
import { lanes, openEditor, openRun, runFacts, runProject, showPanel } from '../pages';
import { expect, test } from '../test';

let app: AppProcess;

test.beforeAll(async () => {
  app = await startApp();
});

test.afterAll(async () => {
  await app.stop();
});

test('questions of a run survive the end of web and worker, on the open page and on the next', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  await page.goto(app.signInUrl);
  await openEditor(page, await createProject(app.url, 'Invitations', invitations));
  await runProject(page, 'Invite both');
  await expect(page.getByRole('region', { name: 'Questions to people' })).toContainText('Waits for 2 answers since');

  await killServer();

  await showPanel(page, 'Run');
  await openRun(page);
  const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await expect(runFacts(page)).toContainText('Waiting for people');
  await expect(lanes(page)).toContainText('Waiting for people');
  await expect(lanes(page)).not.toContainText('Running');
  await page.goto(`/inbox?run=${run}`);
  const list = page.getByRole('navigation', { name: 'Questions' }).getByRole('button');
  const question = page.getByRole('article', { name: 'Question' }).last();
  for (const left of [2, 1]) {
    await expect(list).toHaveCount(left);
    await list.first().click();
    await question.getByRole('button', { name: /^Approve(?! and)/ }).click();
  }
  expect(await waitForEnd(app.url, run, 90_000)).toBe('completed');
  await context.close();
});

/** Kills web and worker. Resolves when the launcher has started others, and they are ready. */
async function killServer(): Promise<void> {
  const before = [...app.pids('web'), ...app.pids('worker')];
  app.kill('web');
  app.kill('worker');
  const isStarted = () =>
    (['web', 'worker'] as const).every((part) => app.pids(part).some((pid) => !before.includes(pid)));
  await expect.poll(isStarted, { timeout: 60_000 }).toBe(true);
  await waitUntilHealthy(app.url);
}
