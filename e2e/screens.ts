import type { Browser, Page } from '@playwright/test';
import { ask, type Filled, type FullApp, fill, officeFiles, weekOfLetters } from './filled-app';
import { graph, showPanel } from './pages';
import { accept, invite, makeProject, newPerson } from './people';
import { expect } from './test';

/** The screens of a filled app, and their addresses there. */

export interface Addresses extends Filled {
  readonly code: string;
  readonly invitation: string;
  readonly reset: string;
  readonly answer: string;
}

export interface Screen {
  /** Its file below `app`. Several screens may be of one. */
  readonly file: string;
  readonly name: string;
  readonly address: (at: Addresses) => string;
  /** Waits until the screen is there. */
  readonly shown: (page: Page) => Promise<void>;
  /** Opened in a browser that nobody has signed in with. */
  readonly byStranger?: true;
  /** It is no page of React, and chooses its theme when it is loaded. */
  readonly isPlain?: true;
}

export const heading =
  (name: string | RegExp): Screen['shown'] =>
  async (page) =>
    await expect(page.getByRole('heading', { name }).first()).toBeVisible();

const projectScreens: readonly Screen[] = [
  {
    file: 'p/[project]/page.tsx',
    name: 'editor',
    address: ({ office }) => `/p/${office}`,
    shown: async (page) => await expect(graph(page)).toBeVisible(),
  },
  {
    file: 'p/[project]/page.tsx',
    name: 'editor-inspector',
    address: ({ office }) => `/p/${office}`,
    async shown(page) {
      await expect(graph(page)).toBeVisible();
      await graph(page).getByText('writer', { exact: true }).first().click();
      await showPanel(page, 'Inspector');
      await expect(page.getByRole('tabpanel', { name: 'Properties' })).toBeVisible();
    },
  },
  {
    file: 'p/[project]/chat/page.tsx',
    name: 'chat',
    address: ({ office }) => `/p/${office}/chat`,
    shown: async (page) => await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible(),
  },
  {
    file: 'p/[project]/import-report/page.tsx',
    name: 'import-report',
    address: ({ office }) => `/p/${office}/import-report`,
    shown: heading('Import report'),
  },
  {
    file: 'p/[project]/members/page.tsx',
    name: 'members',
    address: ({ office }) => `/p/${office}/members`,
    shown: heading('Members'),
  },
  {
    file: 'p/[project]/reviews/page.tsx',
    name: 'reviews',
    address: ({ office }) => `/p/${office}/reviews`,
    shown: heading('Reviews'),
  },
  {
    file: 'p/[project]/reviews/[review]/page.tsx',
    name: 'review',
    address: ({ office }) => `/p/${office}/reviews/1`,
    async shown(page) {
      await expect(page.getByRole('list', { name: 'Threads' }).locator('> li')).toHaveCount(2);
      await expect(page.getByText('Say how short.').first()).toBeVisible();
    },
  },
  {
    file: 'p/[project]/revisions/page.tsx',
    name: 'revisions',
    address: ({ office }) => `/p/${office}/revisions`,
    shown: async (page) => await expect(page.getByRole('region', { name: 'Mirror' })).toContainText('127.0.0.1:9'),
  },
  {
    file: 'p/[project]/runs/page.tsx',
    name: 'project-runs',
    address: ({ office }) => `/p/${office}/runs`,
    shown: heading('Runs'),
  },
  {
    file: 'p/[project]/tests/page.tsx',
    name: 'tests',
    address: ({ office }) => `/p/${office}/tests`,
    shown: async (page) => await expect(page.getByRole('list', { name: 'Tests' })).toContainText(/Passed|Failed/),
  },
  {
    file: 'p/[project]/tests/new/page.tsx',
    name: 'test-new',
    address: ({ office, run }) => `/p/${office}/tests/new?run=${run}`,
    shown: heading('Save as test'),
  },
  {
    file: 'p/[project]/triggers/page.tsx',
    name: 'triggers',
    address: ({ office }) => `/p/${office}/triggers`,
    shown: async (page) => await expect(page.getByRole('list', { name: 'Triggers' })).toContainText('Every Monday'),
  },
];

const runShown: Screen['shown'] = async (page) =>
  await expect(page.getByRole('list', { name: 'Calls and results' }).getByRole('button').first()).toBeVisible();

const screens: readonly Screen[] = [
  { file: 'page.tsx', name: 'projects', address: () => '/', shown: heading('Projects') },
  ...projectScreens,
  { file: 'r/[run]/page.tsx', name: 'run', address: ({ run }) => `/r/${run}`, shown: runShown },
  {
    file: 'r/[run]/page.tsx',
    name: 'run-selected',
    address: ({ run }) => `/r/${run}`,
    async shown(page) {
      await runShown(page);
      await page.getByRole('list', { name: 'Calls and results' }).getByText('count_words').first().click();
      await expect(page.getByRole('group', { name: 'Score of the selection' })).toBeVisible();
    },
  },
  { file: 'r/[run]/page.tsx', name: 'run-failed', address: ({ failed }) => `/r/${failed}`, shown: runShown },
  {
    file: 'r/[run]/page.tsx',
    name: 'run-suspended',
    address: ({ asking }) => `/r/${asking}`,
    shown: async (page) => await expect(page.getByText('Waits for an answer since').first()).toBeVisible(),
  },
  { file: 'runs/page.tsx', name: 'runs', address: () => '/runs', shown: heading('Runs') },
  {
    file: 'runs/dashboard/page.tsx',
    name: 'dashboard',
    address: () => '/runs/dashboard',
    shown: async (page) => await expect(page.locator('figure canvas').first()).toBeVisible(),
  },
  {
    file: 'runs/group/page.tsx',
    name: 'run-group',
    address: ({ run }) => `/runs/group?id=${weekOfLetters}&run=${run}`,
    shown: async (page) => await expect(page.getByText('Write the letter of this week, please')).toBeVisible(),
  },
  { file: 'runs/bin/page.tsx', name: 'bin', address: () => '/runs/bin', shown: heading('Bin') },
  {
    file: 'compare/page.tsx',
    name: 'compare',
    address: ({ run, failed }) => `/compare?a=${run}&b=${failed}`,
    shown: async (page) => await expect(page.getByRole('main')).toContainText('First difference'),
  },
  {
    file: 'inbox/page.tsx',
    name: 'inbox',
    address: () => '/inbox',
    shown: async (page) => await expect(page.getByText(/send/).first()).toBeVisible(),
  },
  {
    file: 'notices/page.tsx',
    name: 'notices',
    address: () => '/notices',
    shown: async (page) =>
      await expect(page.getByRole('list', { name: 'Notices' })).toContainText('review 1 of Office'),
  },
  { file: 'account/page.tsx', name: 'account', address: () => '/account', shown: tokensListed },
  {
    file: 'settings/page.tsx',
    name: 'settings',
    address: () => '/settings',
    shown: async (page) => await expect(page.getByRole('list', { name: 'Providers' })).toContainText('OpenAI'),
  },
  {
    file: 'settings/secrets/page.tsx',
    name: 'secrets',
    address: ({ office }) => `/settings/secrets?secrets=${office}`,
    shown: async (page) => await expect(page.getByText('GIT_TOKEN').first()).toBeVisible(),
  },
  {
    file: 'settings/servers/page.tsx',
    name: 'settings-servers',
    address: () => '/settings/servers',
    shown: heading('MCP servers'),
  },
  { file: 'settings/limits/page.tsx', name: 'limits', address: () => '/settings/limits', shown: heading('Limits') },
  {
    file: 'settings/notifications/page.tsx',
    name: 'notifications',
    address: () => '/settings/notifications',
    shown: heading('Notifications'),
  },
  {
    file: 'settings/retention/page.tsx',
    name: 'retention',
    address: () => '/settings/retention',
    shown: heading('Retention'),
  },
  {
    file: 'settings/appearance/page.tsx',
    name: 'appearance',
    address: () => '/settings/appearance',
    shown: heading('Appearance'),
  },
  {
    file: 'settings/environment/page.tsx',
    name: 'environment',
    address: () => '/settings/environment',
    shown: async (page) => await expect(page.getByText('DATABASE_URL').first()).toBeVisible(),
  },
  {
    file: 'settings/people/page.tsx',
    name: 'people',
    address: () => '/settings/people',
    shown: async (page) => await expect(page.getByText('nobody@example.org').first()).toBeVisible(),
  },
  {
    file: 'settings/policy/page.tsx',
    name: 'policy',
    address: ({ office }) => `/settings/policy?project=${office}`,
    shown: async (page) => await expect(page.getByRole('list', { name: 'Rules' })).toContainText('Models of the team'),
  },
  {
    file: 'settings/audit/page.tsx',
    name: 'audit',
    address: () => '/settings/audit',
    shown: heading('Audit log'),
  },
  {
    file: 'settings/commands/page.tsx',
    name: 'commands',
    address: () => '/settings/commands',
    shown: async (page) => await expect(page.getByText('servers/files.mjs').first()).toBeVisible(),
  },
  { file: 'cli/page.tsx', name: 'cli', address: ({ code }) => `/cli?code=${code}`, shown: heading(/./) },
  { file: 'cli/page.tsx', name: 'cli-unknown', address: () => '/cli?code=none', shown: heading('No command waits') },
  { file: 'not-found.tsx', name: 'not-found', address: () => '/nowhere', shown: heading('Nothing is at this address') },
];

const plainScreens: readonly Screen[] = (
  [
    ['sign-in/route.ts', 'sign-in', () => '/sign-in?done=out', 'Sign in'],
    ['sign-in/code/route.ts', 'sign-in-code', () => '/sign-in/code', 'Second factor'],
    ['setup/route.ts', 'setup-over', () => '/setup?token=used', 'This link does not work'],
    ['invite/route.ts', 'invite', ({ invitation }) => invitation, /./],
    ['reset/route.ts', 'reset', ({ reset }) => reset, 'New password'],
    ['answer/[link]/route.ts', 'answer', ({ answer }) => answer, /./],
    ['answer/[link]/route.ts', 'answer-unknown', () => '/answer/none', /./],
    ['share/[token]/route.ts', 'share-unknown', () => '/share/none', 'There is no such link'],
    ['share/run/[link]/page.tsx', 'share', ({ share }) => share, 'lead'],
  ] satisfies [string, string, Screen['address'], string | RegExp][]
).map(([file, name, address, title]) => ({
  file,
  name,
  address,
  shown: heading(title),
  byStranger: true,
  isPlain: true,
}));

/** All screens of the app but the set-up page and the page of errors. */
export const allScreens: readonly Screen[] = [
  ...screens,
  ...plainScreens,
  {
    file: 'oauth/mcp/callback/route.ts',
    name: 'oauth-callback',
    address: () => '/oauth/mcp/callback?state=none',
    shown: heading('Not signed in'),
    isPlain: true,
  },
];

/** Fills the app as its administrator, Ada, who has just been set up. Returns what the addresses of its screens are made of. */
export async function fillForScreens(browser: Browser, app: FullApp, ada: Page): Promise<Addresses> {
  const office = await makeProject(ada, 'Office', { ...officeFiles });
  await ada.goto(`/p/${office}/members`);
  const [ed, rae] = [await newPerson(browser, app.url), await newPerson(browser, app.url)];
  await accept(ed, await invite(ada, 'Ed', 'editor'), 'Ed');
  await accept(rae, await invite(ada, 'Rae', 'reviewer'), 'Rae');
  const invitation = await invite(ada, 'Nobody', 'runner');
  const filled = await fill(ada, office, { ed, rae });
  for (const person of [ed, rae]) await person.context().close();

  await ada.goto(`/p/${office}/tests/new?run=${filled.run}`);
  await ada.getByRole('button', { name: 'Save test' }).click();
  await ada.getByRole('button', { name: 'Run all', exact: true }).click();
  await expect(ada.getByRole('list', { name: 'Tests' })).toContainText(/Passed|Failed/);
  await makeToken(ada);
  await ada.goto('/settings/people');
  await ada.getByRole('button', { name: 'New password link for ed@example.org' }).click();
  const reset = await ada.getByRole('status').locator('code').innerText();
  const login = await ask(ada, 'POST', 'logins', { machine: 'laptop-of-ada', scopes: ['read'] });
  const code = /"code":"([^"]+)"/.exec(JSON.stringify(login))?.[1] ?? '';
  return { ...filled, invitation, reset, code, answer: await app.answerAddress() };
}

async function makeToken(page: Page): Promise<void> {
  await page.goto('/account');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill('Nightly import of traces');
  await dialog.getByRole('button', { name: /^(Make|Create)/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await tokensListed(page);
}

async function tokensListed(page: Page): Promise<void> {
  await expect(page.getByText('Nightly import of traces').first()).toBeVisible();
}
