import { dropFromPalette, node } from '@/e2e/canvas';
import { graph } from '@/e2e/pages';
import { expect, test } from '../stage';

test('what a new workflow lacks is a hint until it was edited and left', async ({ page, stage }) => {
  await stage.openEditor({ 'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n' });
  await dropFromPalette(page, 'Chain', { x: 400, y: 300 }, 'steps');
  const chain = node(page, 'agent:steps');
  const row = page.getByRole('treeitem', { name: /^steps/ });
  await expect(chain.getByRole('img', { name: 'To fill in' })).toBeVisible();
  await expect(row.getByRole('img', { name: 'To fill in' })).toBeVisible();
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(page.getByRole('region', { name: /Problems of .*steps/ })).toContainText('To fill in');
  await expect(page.getByRole('img', { name: /error/ })).toHaveCount(0);

  await page.getByRole('textbox', { name: 'Description' }).fill('One after the other');
  await expect(chain.getByRole('img', { name: 'To fill in' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(chain.getByRole('img', { name: '1 error' })).toBeVisible();
  await expect(row.getByRole('img', { name: '1 error' })).toBeVisible();
  await expect(page.getByRole('region', { name: /Problems of .*steps/ })).toContainText('Error');
});

test('a click that leaves a field of a new server reaches its button, although a problem shows by it @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({ 'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n' });
  const palette = page.getByRole('region', { name: 'Palette' });
  await palette
    .getByRole('button', { name: 'MCP server', exact: true })
    .dragTo(graph(page), { targetPosition: { x: 400, y: 300 } });
  await graph(page)
    .getByRole('textbox', { name: /^New name of/ })
    .fill('time');
  await page.keyboard.press('Enter');
  await expect(node(page, 'server:time')).toBeFocused();
  await page.getByRole('textbox', { name: 'Command' }).fill('node');
  await page.getByRole('button', { name: 'Add argument' }).click({ delay: 200 });
  await expect(page.getByRole('textbox', { name: 'Argument 1' })).toBeFocused();
});
