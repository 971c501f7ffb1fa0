import type { Page } from '@playwright/test';
import { type AppProcess, startApp } from './app-process';
import { node } from './canvas';
import { expectSaveState, openEditor, seriousFaults } from './pages';
import { accept, invite, makeProject, newPerson, setUp, withAccounts } from './people';
import { expect, test } from './test';

/** Ada and Ed edit one project at the same time, each in a browser of their own. Vic only looks. */

test.describe.configure({ mode: 'serial' });

let app: AppProcess;
let project: string;
let ada: Page;
let ed: Page;
let vic: Page;

test.beforeAll(async ({ browser }) => {
  app = await startApp(withAccounts);
  ada = await newPerson(browser, app.url);
  ed = await newPerson(browser, app.url);
  vic = await newPerson(browser, app.url);
  await setUp(ada, app, 'Ada');
  project = await makeProject(ada, 'Office', {
    'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [writer]\n---\nLead.\n',
    'agent-cards/writer.md': '---\nname: writer\n---\nWrite.\n',
  });
  await ada.goto(`/p/${project}/members`);
  await accept(ed, await invite(ada, 'Ed', 'editor'), 'Ed');
  await accept(vic, await invite(ada, 'Vic', 'viewer'), 'Vic');
});

test.afterAll(async () => {
  for (const person of [ada, ed, vic]) await person?.context().close();
  await app?.stop();
});

const here = (page: Page) => page.getByRole('list', { name: 'Who else is here' });
const instruction = (page: Page) => page.getByLabel('Instruction', { exact: true });

test('people see who is here and what they have selected, and a person who leaves disappears', async () => {
  // The invitations led Ed and Vic to the project.
  await ed.goto('/');
  await vic.goto('/');
  await openEditor(ada, project);
  await expect(here(ada)).toBeHidden();
  await openEditor(ed, project);
  await expect(here(ada).getByRole('button', { name: 'Ed is here' })).toBeVisible();
  await node(ed, 'agent:writer').click();
  await expect(here(ada).getByRole('button', { name: 'Ed is at writer' })).toBeVisible();
  await expect(node(ada, 'agent:writer').getByRole('img', { name: 'Ed is here' })).toBeVisible();
  expect(await seriousFaults(ada)).toEqual([]);
  // A click on somebody goes to what they have selected.
  await here(ada).getByRole('button', { name: 'Ed is at writer' }).click();
  await expect(instruction(ada)).toHaveValue('Write.');
  await openEditor(vic, project);
  await expect(here(ada).getByRole('button', { name: 'Vic is here' })).toBeVisible();
  await expect(here(vic).getByRole('button', { name: 'Ed is at writer' })).toBeVisible();
  await ed.goto('/');
  await expect(here(ada).getByRole('button')).toHaveCount(1);
});

test('a field that somebody types into is held, can be taken, and both texts reach the other', async () => {
  await openEditor(ed, project);
  await node(ed, 'agent:writer').click();
  await instruction(ed).fill('Write letters.');
  const held = ada.getByText('Ed is editing this.');
  await expect(held).toBeVisible();
  await expect(instruction(ada)).toHaveValue('Write letters.');
  expect(await seriousFaults(ada)).toEqual([]);
  await ada.getByRole('button', { name: 'Edit anyway: Instruction' }).click();
  await expect(held).toBeHidden();
  await expect(ed.getByText('Ada took over Instruction. What you wrote is kept.')).toBeVisible();
  await instruction(ada).fill('Write letters and cards.');
  await expectSaveState(ada, 'Saved');
  await expect(instruction(ed)).toHaveValue('Write letters and cards.');
  await expect(ed.getByText('Ada is editing this.')).toBeVisible();
  await ada.keyboard.press('Tab');
  await expect(ed.getByText('Ada is editing this.')).toBeHidden();
});

test('a file whose text somebody types is held as a whole, and is free when they leave it', async () => {
  await ed.getByRole('tab', { name: 'Card' }).click();
  await ada.getByRole('tab', { name: 'Card' }).click();
  await ed.getByLabel('Text of agent-cards/writer.md').click();
  await ed.keyboard.press('ControlOrMeta+End');
  await ed.keyboard.type('Be kind.');
  await expect(ada.getByText('Ed is editing this file.')).toBeVisible();
  await ed.getByRole('tab', { name: 'Properties' }).click();
  await expect(ada.getByText('Ed is editing this file.')).toBeHidden();
});

test('changes of one line by two people are shown beside each other, and one is chosen', async () => {
  await expectSaveState(ed, 'Saved');
  await ada.getByRole('tab', { name: 'Properties' }).click();
  // Ada's network is away while both write the same line.
  await ada.route('**/*', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
  await instruction(ada).fill('Write poems.');
  await instruction(ed).fill('Write songs.');
  await expectSaveState(ed, 'Saved');
  await ada.unroute('**/*');
  await ada.keyboard.press('ControlOrMeta+s');
  const dialog = ada.getByRole('dialog');
  await expect(dialog).toContainText('agent-cards/writer.md');
  await expect(dialog).toContainText('Write poems.');
  await expect(dialog).toContainText('Write songs.');
  expect(await seriousFaults(ada)).toEqual([]);
  await dialog.getByRole('button', { name: /mine/i }).first().click();
  await dialog
    .getByRole('button', { name: /^(Save|Keep|Done)/ })
    .first()
    .click();
  await expectSaveState(ada, 'Saved');
  await expect(instruction(ed)).toHaveValue('Write poems.');
  // Vic, who may only read, sees what came of it.
  await node(vic, 'agent:writer').click();
  await expect(instruction(vic)).toHaveValue('Write poems.');
});

test('a field of another draft is free, and people see who reads a review', async () => {
  await ed.goto(`/p/${project}/revisions`);
  await ed.getByRole('button', { name: 'More for main draft' }).click();
  await ed.getByRole('menuitem', { name: 'New draft from this one' }).click();
  const dialog = ed.getByRole('dialog', { name: 'New draft from the main draft' });
  await dialog.getByLabel('Name').fill('songs');
  await dialog.getByRole('button', { name: 'Make draft' }).click();
  await ed.getByRole('link', { name: 'songs', exact: true }).click();
  await node(ed, 'agent:writer').click();
  await instruction(ed).fill('Write songs.');
  await expect(here(ada).getByRole('button', { name: 'Ed is in the draft songs' })).toBeVisible();
  await instruction(ada).fill('Write ballads.');
  await expect(ada.getByText('Ed is editing this.')).toBeHidden();
  await expectSaveState(ada, 'Saved');
  await expectSaveState(ed, 'Saved');
  await expect(instruction(ed)).toHaveValue('Write songs.');

  await ed.goto(`/p/${project}/reviews`);
  const form = ed.getByRole('form', { name: 'New review' });
  await form.getByLabel('Title').fill('Songs');
  await form.getByRole('button', { name: 'Open review' }).click();
  await expect(ed).toHaveURL(/reviews\/\d+$/);
  await expect(here(ada).getByRole('button', { name: 'Ed reads a review' })).toBeVisible();
  await expect(here(ed).getByRole('img', { name: /^Ada / })).toBeVisible();
  expect(await seriousFaults(ed)).toEqual([]);
});
