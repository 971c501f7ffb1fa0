import type { Browser, BrowserContext, Page } from '@playwright/test';
import { createProject, startRun, waitForEnd } from './api';
import { seriousFaults } from './pages';
import { expect, test } from './test';
import { signedOut } from './test-token';

/** A link to a run, opened by somebody without an account, in a browser that has never been here. */

const word = 'planted-plum-of-the-run';
const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [helper]\n---\nLead.\n',
  'agent-cards/helper.md': `---\nname: helper\ndescription: Helps with ${word}\n---\nHelp.\n`,
  'callboard.yaml': `version: 1
entry: lead
scripts:
  lead:
    - turns:
        - calls: [{ tool: agent__helper, arguments: { message: "${word}" } }]
        - text: The answer is ${word}.
  helper:
    - turns:
        - text: It is ${word}.
`,
};

let run = '';

test.beforeEach(async ({ baseURL, page }) => {
  const project = await createProject(baseURL ?? '', `Shared ${word}`, files);
  run = await startRun(baseURL ?? '', project, `Look for ${word}`);
  expect(await waitForEnd(baseURL ?? '', run)).toBe('completed');
  await page.goto(`/r/${run}`);
});

async function makeLink(page: Page, { texts = false } = {}): Promise<string> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this run' });
  if (texts) await dialog.getByRole('checkbox', { name: 'With texts' }).click();
  await dialog.getByRole('button', { name: 'Make link' }).click();
  const link = await dialog.getByRole('status').locator('code').innerText();
  await expect(dialog.getByRole('list', { name: 'Links to this run' }).getByRole('listitem')).toHaveCount(1);
  return link;
}

/** A browser without any cookie. `bodies` has what the server answers it. */
async function stranger(browser: Browser, baseURL: string | undefined) {
  const context: BrowserContext = await browser.newContext({ baseURL: baseURL ?? '', storageState: signedOut });
  const page = await context.newPage();
  const bodies: string[] = [];
  page.on('response', async (response) => {
    bodies.push(response.url(), await response.text().catch(() => ''));
  });
  return { context, page, bodies };
}

test('a link without texts shows bars and no text anywhere, and ends while it is open', async ({
  page,
  browser,
  baseURL,
}, info) => {
  const link = await makeLink(page);
  await page.screenshot({ path: info.outputPath('dialog.png') });
  expect(await seriousFaults(page)).toEqual([]);
  const { context, page: other, bodies } = await stranger(browser, baseURL);
  await other.goto(link);
  await expect(other).toHaveURL(/\/share\/run\/[\w-]+$/);
  expect(other.url()).not.toContain('cbs_');
  await expect(other.getByRole('heading', { name: 'lead' })).toBeVisible();
  await expect(other.getByText('Shared by link, read only')).toBeVisible();
  const history = other.getByRole('list', { name: 'Calls and results' });
  await expect(history.getByText('agent__helper').or(history.getByText('helper')).first()).toBeVisible();
  await expect(other.getByRole('link')).toHaveCount(await history.getByRole('link').count());
  await expect(other.getByRole('button', { name: /^(Stop|Export|Share|Run again)$/ })).toHaveCount(0);
  await other.screenshot({ path: info.outputPath('shared.png') });
  await history.getByText('agent__helper').first().click();
  await expect(other.getByRole('tab', { name: 'Selection' })).toHaveAttribute('aria-selected', 'true');
  await other.screenshot({ path: info.outputPath('selection.png') });
  await other.getByRole('tab', { name: 'Insight' }).click();
  await other.getByRole('searchbox', { name: 'Search this run' }).fill('helper');
  expect(await seriousFaults(other)).toEqual([]);
  expect(await other.content()).not.toContain(word);
  expect(bodies.join('\n')).not.toContain(word);

  for (const path of ['/', `/r/${run}`, '/runs', '/settings']) {
    expect([path, (await context.request.get(path, { maxRedirects: 0 })).ok()]).toEqual([path, false]);
  }
  expect((await context.request.get(`/api/v1/runs/${run}`)).status()).toBe(401);

  await page.getByRole('button', { name: /^Revoke cbs_/ }).click();
  await expect(page.getByText('None. Nobody sees this run without an account.')).toBeVisible();
  await expect(other.getByRole('heading', { name: 'This link shows nothing any more' })).toBeVisible();
  await other.screenshot({ path: info.outputPath('over.png') });
  expect(await seriousFaults(other)).toEqual([]);
  expect((await other.goto(link))?.status()).toBe(410);
  expect((await other.goto(`${link.slice(0, -3)}aaa`))?.status()).toBe(404);
  await context.close();
});

test('a link with texts shows message, answer and arguments, and still leads nowhere @full', async ({
  page,
  browser,
  baseURL,
}, info) => {
  const link = await makeLink(page, { texts: true });
  const { context, page: other } = await stranger(browser, baseURL);
  await other.goto(link);
  await expect(other.getByText(`The answer is ${word}.`)).toBeVisible();
  await expect(other.getByText(`Look for ${word}`)).toBeVisible();
  await other.screenshot({ path: info.outputPath('with-texts.png') });
  expect(await other.locator('a[href^="/p/"], a[href^="/r/"], a[href^="/compare"], a[href^="/runs"]').count()).toBe(0);
  await other.getByRole('tab', { name: 'Graph' }).click();
  await expect(other.getByRole('tabpanel').getByText('helper').first()).toBeVisible();
  expect(await seriousFaults(other)).toEqual([]);
  await context.close();
});
