import type { Page } from '@playwright/test';
import { node, wires } from '@/e2e/canvas';
import { expectSavedFiles, seriousFaults, showPanel, showWholeGraph } from '@/e2e/pages';
import { expect, test } from '../stage';

const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;
const places = `canvas:
  positions:
    agent:lead: { x: 0, y: 0 }
    agent:kid: { x: 400, y: -100 }
    agent:pal: { x: 400, y: 100 }
`;
const files = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid'),
  'agent-cards/pal.md': card('pal'),
  'callboard.yaml': `version: 1\n${places}`,
};
const allowed = `version: 1\n${places}toolsets:\n  lead:\n    delegation:\n      allow_workers:\n        - pal\n`;

const outlineRow = (page: Page) => page.getByRole('treeitem', { name: /pal.*may call/ });

test('an agent is allowed to call another by a menu, and the wire is explained, removed and restored', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  await showWholeGraph(page);
  await node(page, 'agent:lead').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Connect to…/ }).click();
  const picker = page.getByRole('listbox', { name: 'Connect lead to' });
  await picker.getByRole('group', { name: 'May call' }).getByRole('option', { name: 'pal' }).click();
  const wire = wires(page).locator('[data-kind="may_call"]');
  await expect(wire).toHaveCount(1);
  await expect(wire).toContainText('lead may call pal with worker_call.');
  await expectSavedFiles(page, stage.savedFiles, { ...files, 'callboard.yaml': allowed });

  await showPanel(page, 'Outline');
  await outlineRow(page).click();
  await showPanel(page, 'Inspector');
  const form = page.getByRole('tabpanel', { name: 'Properties' });
  await expect(form).toContainText('pal is not one of its children.');
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove from the list' }).click();
  await expect(outlineRow(page)).toHaveCount(0);
  await expectSavedFiles(page, stage.savedFiles, files);
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, stage.savedFiles, { ...files, 'callboard.yaml': allowed });

  await showPanel(page, 'Outline');
  await outlineRow(page).focus();
  await page.keyboard.press('Delete');
  await expect(outlineRow(page)).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: 'pal' })).toBeVisible();
});

test('leave to call every agent is a mark on the node and no wire @full', async ({ page, stage }) => {
  const everyone = `version: 1\n${places}toolsets: { lead: { delegation: { allow_workers: ["*"], create: allowed } } }\n`;
  await stage.openEditor({ ...files, 'callboard.yaml': everyone });
  await showWholeGraph(page);
  const mark = node(page, 'agent:lead').getByRole('img', { name: /May call every agent of the project/ });
  await expect(mark).toHaveAttribute('title', /May create agents during a run/);
  await expect(wires(page)).toHaveCount(1);
});
