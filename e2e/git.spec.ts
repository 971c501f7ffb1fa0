import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GitClient, gitClient } from '../lib/testing/git-client';
import { createProject, readFiles } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';
import { testToken } from './test-token';

/** The real git against the whole app: its proxy, its guard, and bodies that come in pieces. */

let git: GitClient;
test.beforeEach(() => {
  git = gitClient();
});
test.afterEach(() => git.remove());

test('a person clones what is live, is refused at main, pushes a draft with a review, publishes it and pulls @full', async ({
  page,
  baseURL,
}) => {
  const project = await createProject(baseURL ?? '', 'Cloned', {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nLead.\n',
  });
  await page.goto(`/p/${project}/revisions`);
  await page.getByRole('button', { name: 'Publish draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this project' });
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Live' })).toContainText('Revision 1 is live');
  const programs = page.getByRole('region', { name: 'From other programs' });
  const command = await programs.getByText(/^git clone /).innerText();
  expect(await seriousFaults(page)).toEqual([]);

  const url = new URL(command.slice('git clone '.length));
  expect((await git.run(['clone', '-q', url.href, 'refused'])).code).not.toBe(0);
  url.username = 'me';
  url.password = testToken;
  await git.ok(['clone', '-q', url.href, 'mine']);
  const here = { in: 'mine' };
  writeFileSync(
    path.join(git.folder, 'mine/agent-cards/lead.md'),
    '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nLead well.\n',
  );
  writeFileSync(path.join(git.folder, 'mine/picture.bin'), randomBytes(2_000_000));
  await git.ok(['add', '-A'], here);
  await git.ok(['commit', '-q', '-m', 'Lead well'], here);
  const refused = await git.run(['push', 'origin', 'main'], here);
  expect(refused.code).not.toBe(0);
  expect(refused.said).toContain('draft/');

  const pushed = await git.run(['push', '-o', 'review', 'origin', 'HEAD:draft/better'], here);
  expect(pushed.code, pushed.said).toBe(0);
  const address = /\S+\/reviews\/\d+/.exec(pushed.said)?.[0] ?? '';
  await page.goto(address);
  await expect(page.getByRole('heading', { name: /Lead well/ })).toBeVisible();
  const changed = page.getByRole('region', { name: 'Files' });
  await changed.scrollIntoViewIfNeeded();
  await expect(changed).toContainText('Lead well.');
  await page.getByRole('region', { name: 'Decision' }).getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Decision' })).toContainText('This review is published.');

  await git.ok(['pull', '-q'], here);
  expect(await git.ok(['fsck', '--strict'], here)).toBe('');
  expect(await git.ok(['log', '--format=%s', '-1', 'origin/main'], here)).toContain('Lead well');
  expect((await readFiles(baseURL ?? '', project))['agent-cards/lead.md']).toContain('Lead.');

  await page.goto(`/p/${project}/revisions`);
  const download = page.waitForEvent('download');
  await programs.getByRole('link', { name: 'Bundle' }).click();
  await (await download).saveAs(path.join(git.folder, 'all.bundle'));
  await git.ok(['clone', '-q', '-b', 'main', 'all.bundle', 'bundled']);
  expect(await git.ok(['rev-parse', 'HEAD'], { in: 'bundled' })).toBe(await git.ok(['rev-parse', 'origin/main'], here));
});
