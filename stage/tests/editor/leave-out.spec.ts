import type { Page } from '@playwright/test';
import { expect, test } from '../stage';

/** A person leaves agents, servers and tools out of one run. */

const form = (page: Page) => page.locator('form').filter({ has: page.getByRole('button', { name: 'Leave out…' }) });

test('the list is searched, checked and emptied, and the start says what is left out', async ({ page, stage }) => {
  await stage.open('editor/with-a-run-to-start');
  await page.getByRole('button', { name: 'Leave out…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave out of the next run' });
  const boxes = dialog.getByRole('checkbox');
  await expect(boxes.nth(1)).toBeVisible();
  const all = await boxes.count();
  const first = (await boxes.first().getAttribute('aria-label')) ?? '';
  await boxes.first().click();
  await expect(boxes.first()).toBeChecked();
  await dialog.getByRole('searchbox').fill('no such thing');
  await expect(boxes).toHaveCount(0);
  await expect(dialog.getByRole('status')).toHaveText('Nothing matches.');
  await dialog.getByRole('searchbox').fill('');
  await expect(boxes).toHaveCount(all);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(form(page)).toContainText(`without ${first}`);

  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Go');
  await page.getByRole('textbox', { name: 'Message', exact: true }).press('ControlOrMeta+Enter');
  await expect(page.getByRole('link', { name: 'Open run' })).toBeVisible();
  expect((await stage.inputsOf('p/[project]/actions.start')).at(-1)).toMatchObject({ leftOut: [{ name: first }] });

  await page.reload();
  await expect(form(page)).toContainText(`without ${first}`);
  await form(page).getByRole('button', { name: 'Leave nothing out' }).click();
  await expect(form(page)).not.toContainText('without');
});

test('the menu of a node leaves it out and takes it back @full', async ({ page, stage }) => {
  await stage.openEditor({
    'lead.md': '---\nname: lead\ndefault: true\nagents: [writer]\n---\nLead.\n',
    'writer.md': '---\nname: writer\n---\nWrite.\n',
  });
  const node = (name: string) => page.locator(`.react-flow__node[data-id="agent:${name}"]`);
  await node('writer').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Leave out of the next run' }).click();
  await expect(form(page)).toContainText('without writer');
  await node('writer').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Take into the next run' }).click();
  await expect(form(page)).not.toContainText('without');
  await node('lead').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Run this agent' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Leave out of the next run' })).toHaveCount(0);
});

test('several selected nodes are left out and taken back together, in the inspector and in the menu @full', async ({
  page,
  stage,
}) => {
  const card = (name: string) => `---\nname: ${name}\n---\nHelp.\n`;
  await stage.openEditor({
    'lead.md': '---\nname: lead\ndefault: true\nagents: [writer, critic]\n---\nLead.\n',
    'writer.md': card('writer'),
    'critic.md': card('critic'),
  });
  await page.getByRole('treeitem', { name: 'lead' }).first().click();
  for (const name of ['writer', 'critic'])
    await page.locator(`.react-flow__node[data-id="agent:${name}"]`).click({ modifiers: ['Shift'] });
  const properties = page.getByRole('tabpanel', { name: 'Properties' });
  // The agent at which the run begins stays.
  await properties.getByRole('button', { name: 'Leave 2 out of the next run' }).click();
  await expect(form(page)).toContainText('without writer, critic');
  await page.locator('.react-flow__node[data-id="agent:critic"]').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Take 2 into the next run' }).click();
  await expect(form(page)).not.toContainText('without');
  await expect(properties.getByRole('button', { name: 'Leave 2 out of the next run' })).toBeVisible();
});
