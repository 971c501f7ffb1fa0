import { type GitClient, gitClient } from '../lib/testing/git-client';
import { type GitRemote, gitRemote } from '../lib/testing/git-remote';
import { createProject } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';

/** One person pushes what is live to a repository of their own, which is the real git. */

const token = 'token-of-the-mirror';
let remote: GitRemote;
let git: GitClient;
test.beforeEach(async () => {
  git = gitClient();
  remote = await gitRemote(token);
});
test.afterEach(async () => {
  git.remove();
  await remote.close();
});

test('a mirror is set up, gets what is published, reports commits of others, and is removed @full', async ({
  page,
  baseURL,
}) => {
  const project = await createProject(baseURL ?? '', 'Mirrored', {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nLead.\n',
  });
  await page.goto(`/p/${project}/revisions`);
  const mirror = page.getByRole('region', { name: 'Mirror' });
  await mirror.getByRole('button', { name: 'Set up a mirror' }).click();
  const form = page.getByRole('dialog', { name: 'Set up a mirror' });
  await form.getByLabel('Address').fill(remote.url);
  await form.getByLabel('Secret with the token').fill('GIT_TOKEN');
  await form.getByRole('button', { name: 'Save and push' }).click();
  await expect(form.getByRole('alert')).toContainText("there is no secret 'GIT_TOKEN'");
  expect(await seriousFaults(page)).toEqual([]);

  await form.getByRole('link', { name: 'Settings, Secrets' }).click();
  await page.getByRole('button', { name: 'New secret' }).click();
  const secret = page.getByRole('dialog', { name: 'New secret' });
  await secret.getByLabel('Name').fill('GIT_TOKEN');
  await secret.getByLabel('Value').fill(token);
  await secret.getByRole('button', { name: 'Store' }).click();
  await expect(page.getByText('GIT_TOKEN')).toBeVisible();

  await page.goto(`/p/${project}/revisions`);
  await mirror.getByRole('button', { name: 'Set up a mirror' }).click();
  await form.getByLabel('Address').fill(remote.url);
  await form.getByLabel('Secret with the token').fill('GIT_TOKEN');
  await form.getByRole('button', { name: 'Save and push' }).click();
  await expect(mirror).toContainText('Nothing is published yet.');
  await expect(mirror).toContainText('Nothing to push');

  const publish = async () => {
    await page.getByRole('region', { name: 'Live' }).getByRole('button', { name: 'Publish draft' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish this project' });
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(dialog).toBeHidden();
  };
  await publish();
  await expect(mirror).toContainText('Revision 1');
  await expect(mirror.getByText('Pushed', { exact: true })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  const main = await git.ok(['-C', remote.folder, 'rev-parse', 'main']);
  await expect(mirror).toContainText(main.slice(0, 10));

  await git.ok(['clone', '-q', remote.folder, 'theirs']);
  await git.ok(['commit', '-q', '--allow-empty', '-m', 'Theirs'], { in: 'theirs' });
  await git.ok(['push', '-q', 'origin', 'main'], { in: 'theirs' });
  await mirror.getByRole('button', { name: 'Push now' }).click();
  await expect(mirror.getByText('Has other commits')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  expect(await git.ok(['-C', remote.folder, 'log', '-1', '--format=%s', 'main'])).toBe('Theirs');

  await mirror.getByRole('button', { name: 'Remove mirror' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove mirror' }).click();
  await expect(mirror.getByRole('button', { name: 'Set up a mirror' })).toBeVisible();
});
