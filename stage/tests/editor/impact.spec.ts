import { node } from '@/e2e/canvas';
import { seriousFaults } from '@/e2e/pages';
import { expect, test } from '../stage';

const uses = 'GET /api/v1/projects/desk/uses';
const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [writer]\n---\nLead.\n',
  'agent-cards/writer.md': '---\nname: writer\nfunction_tools: [../tools.ts:count]\n---\nWrite.\n',
  'tools.ts': 'export function count() {\n  return 1;\n}\n',
};

test('a server that does not answer does not hold up a deletion', async ({ page, stage }) => {
  await stage.openEditor(files);
  await stage.trouble(uses, { kind: 'late' });
  await node(page, 'function:tools.ts:count').click();
  await expect(page.getByText('Looking…')).toBeVisible();
  await page.keyboard.press('Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete count?' });
  await expect(question.getByRole('status')).toContainText('Looking where it is used…');
  expect(await seriousFaults(page)).toEqual([]);
  await question.getByRole('button', { name: 'Delete count' }).click();
  await expect(node(page, 'function:tools.ts:count')).toHaveCount(0);
  await expect(question).toHaveCount(0);

  await stage.trouble(uses, { kind: 'offline' });
  await node(page, 'agent:writer').click();
  await expect(page.getByText('This could not be read.')).toBeVisible();
  await page.keyboard.press('Delete');
  const other = page.getByRole('alertdialog', { name: 'Delete writer?' });
  await expect(other).toContainText("Where agent 'writer' may be used could not be read now.");
  await page.keyboard.press('Escape');
  await node(page, 'agent:writer').click();
  await expect(page.getByText('This could not be read.')).toBeVisible();
  await stage.release(uses);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('This could not be read.')).toHaveCount(0);
});
