import type { Locator } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSaveState, showPanel } from '@/e2e/pages';
import { expect, test } from './stage';

const save = 'p/[project]/actions.save';
const files = { 'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n' };

test('a failed save is said over the page: nothing moves, and no main button is covered @phone-full', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  await stage.trouble(save, { kind: 'refused', code: 'invalid', message: 'The disk of the server is full.' });
  await node(page, 'agent:lead').click();
  await showPanel(page, 'Inspector');
  const field = page.getByRole('textbox', { name: 'Description' });
  const before = await boxOf(field);
  await field.fill('Leads.');
  await stage.pass(1_500);
  const notice = page.getByRole('alert').filter({ hasText: 'The disk of the server is full.' });
  await expect(notice).toBeVisible();
  expect(await boxOf(field)).toEqual(before);
  await showPanel(page, 'Run');
  await stage.idle();
  await expectApart(notice, page.locator('form').getByRole('button', { name: 'Run', exact: true }));
  const panels = page.getByRole('navigation', { name: 'Panels' });
  if (await panels.isVisible()) await expectApart(notice, panels);
});

test('that Callboard cannot be reached is said once, and goes when it answers @phone-full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:lead').click();
  await showPanel(page, 'Inspector');
  const services = [save, 'GET /api/v1/pending', 'GET /api/v1/runs', 'GET /api/v1/notices/unread'];
  for (const service of services) await stage.trouble(service, { kind: 'offline' });
  await page.getByRole('textbox', { name: 'Description' }).fill('Leads.');
  await stage.pass(8_000);
  await expectSaveState(page, 'Not saved');
  const told = page.getByText('Callboard cannot be reached.');
  await expect(told).toHaveCount(1);
  await page.getByRole('button', { name: 'Try now' }).click();
  await stage.idle();
  await expect(told).toHaveCount(1);
  for (const service of services) await stage.release(service);
  await stage.pass(5_000);
  await expect(page.getByText('Callboard answers again.')).toBeVisible();
  await expect(told).toHaveCount(0);
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('It is not shown.');
  return box;
}

async function expectApart(one: Locator, other: Locator): Promise<void> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(isApart, `${JSON.stringify(a)} is apart from ${JSON.stringify(b)}`).toBe(true);
}
