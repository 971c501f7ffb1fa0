import { type AppProcess, startApp } from './app-process';
import { openEditor, pictures, seriousFaults } from './pages';
import { accept, invite, makeProject, newPerson, setUp, withAccounts } from './people';
import { expect, test } from './test';

/** People of one project: its admin manages them, a viewer looks at everything and is offered nothing else. */

test.describe.configure({ mode: 'serial' });

const files = {
  'agent-cards/helper.md': '---\nname: helper\ndefault: true\n---\nHelp.\n',
  'callboard.yaml': 'version: 1\nentry: helper\nscripts:\n  helper:\n    - turns:\n        - text: Done.\n',
};

let app: AppProcess;
let project = '';

test.beforeAll(async () => {
  app = await startApp(withAccounts);
});

test.afterAll(async () => {
  await app.stop();
});

test('an admin manages the members of a project, and a viewer is offered no change @full', async ({ browser }) => {
  const ada = await newPerson(browser, app.url);
  await setUp(ada, app, 'Ada');
  project = await makeProject(ada, 'Office', files);
  const vi = await newPerson(browser, app.url);

  await test.step('an admin invites, changes and takes back on the page of the project', async () => {
    await openEditor(ada, project);
    await ada.getByRole('button', { name: 'More of the project' }).click();
    await ada.getByRole('menuitem', { name: 'Members' }).click();
    await expect(ada.getByRole('heading', { name: 'Members' })).toBeVisible();
    await accept(vi, await invite(ada, 'Vi', 'viewer'), 'Vi');
    await invite(ada, 'Nobody', 'runner');
    const open = ada.getByRole('list', { name: 'Open invitations' });
    await expect(open).toContainText('nobody@example.org');
    await pictures(ada, 'members');
    expect(await seriousFaults(ada)).toEqual([]);
    await ada.getByRole('button', { name: 'Take back nobody@example.org' }).click();
    await expect(open).toBeHidden();
    await ada.getByRole('checkbox', { name: 'Vi answers questions' }).click();
    await expect(ada.getByRole('checkbox', { name: 'Vi answers questions' })).not.toBeChecked();
  });

  await test.step('a viewer sees the members and reads the project, and is offered no change', async () => {
    await vi.goto(`/p/${project}/members`);
    await expect(vi.getByRole('list', { name: 'Members' })).toContainText('viewer');
    await expect(vi.getByText(/^You may not change who works on this project\./)).toBeVisible();
    await expect(vi.getByRole('button', { name: /Remove|Invite|Leave/ })).toHaveCount(0);
    expect(await seriousFaults(vi)).toEqual([]);

    await openEditor(vi, project);
    await expect(vi.getByText('Read-only.')).toBeVisible();
    for (const name of ['Undo', 'Add…', 'Save', 'Add', 'Run']) {
      await expect(vi.getByRole('button', { name, exact: true })).toHaveCount(0);
    }
    await vi.getByLabel('Graph', { exact: true }).getByText('helper').click();
    await expect(vi.getByRole('tabpanel', { name: 'Properties' }).getByRole('textbox').first()).toBeDisabled();
    await vi.keyboard.press('Delete');
    await vi.keyboard.press('n');
    await expect(vi.getByLabel('Graph', { exact: true }).getByText('helper')).toBeVisible();
    await vi.getByRole('tab', { name: 'Card' }).click();
    const text = vi.getByLabel('Text of agent-cards/helper.md');
    await text.click();
    await vi.keyboard.type('changed');
    await expect(text).not.toContainText('changed');
    await pictures(vi, 'viewer');
    expect(await seriousFaults(vi)).toEqual([]);

    await vi.goto('/');
    await vi.getByRole('button', { name: 'Actions of Office' }).click();
    await expect(vi.getByRole('menuitem', { name: 'Members' })).toBeVisible();
    await expect(vi.getByRole('menuitem', { name: /Rename|Delete/ })).toHaveCount(0);
  });

  await test.step('an administrator sets the budget of every project', async () => {
    await ada.goto('/settings/limits');
    const every = ada.getByRole('form', { name: 'Limits: Every project' });
    await every.getByLabel('Runs per month').fill('100');
    await every.getByRole('button', { name: 'Save' }).click();
    const stored = async () => (await (await ada.request.get('/api/v1/limits')).json()).budget.maxRuns;
    await expect.poll(stored).toBe(100);
    await ada.reload();
    await expect(every.getByLabel('Runs per month')).toHaveValue('100');
    await expect(every.getByLabel('US dollars per month')).toHaveValue('');
  });

  await test.step('an admin removes a person, who then sees no project', async () => {
    await ada.goto(`/p/${project}/members`);
    await ada.getByRole('button', { name: 'Remove Vi' }).click();
    await ada.getByRole('button', { name: 'Remove person' }).click();
    await expect(ada.getByText('vi@example.org')).toHaveCount(0);
    await vi.goto(`/p/${project}`);
    await expect(vi.getByText('Nothing is at this address')).toBeVisible();
  });
  for (const person of [ada, vi]) await person.context().close();
});
