import { createHmac, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { createProject } from './api';
import { goToPage, graph, openEditor, seriousFaults } from './pages';
import { expect, test } from './test';
import { signedIn } from './test-token';

/** One person lets other programs and the clock start what is live. */

const files = {
  'agent-cards/echo.md': '---\nname: echo\ndefault: true\nmodel: passthrough\n---\nEcho.\n',
};

async function publish(url: string, project: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/projects/${project}/releases`, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBeLessThan(300);
}

/** Sends a message as a program does that signs with the libraries of Standard Webhooks. */
async function deliver(address: string, secret: string, body: string, id = `msg_${randomUUID()}`) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  const response = await fetch(address, { method: 'POST', headers, body });
  const answer = z.looseObject({ run: z.string().optional() }).parse(await response.json());
  return { status: response.status, run: answer.run };
}

const item = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Triggers' }).getByLabel(name, { exact: true });

const shownSecret = (page: Page) => page.getByRole('status').getByText(/^whsec_/);

/** Returns the secret of the new webhook, which is shown once, and its address. */
async function shownOnce(page: Page) {
  const secret = await shownSecret(page).innerText();
  const line = await item(page, 'Issues')
    .getByText(/^POST /)
    .innerText();
  return { secret, address: line.slice('POST '.length) };
}

test('a webhook is made, a signed message starts what is live once, and its run is in its own list', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Hooked', files);
  await publish(url, project);
  await openEditor(page, project);
  await expect(graph(page)).toBeVisible();
  await goToPage(page, 'Triggers');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await form.getByLabel('Name').fill('Issues');
  await form.getByLabel('Message').fill('New: {{body.title}} {{nothing}}');
  await form.getByRole('button', { name: 'Add webhook' }).click();
  await expect(form.getByRole('alert')).toContainText('{{nothing}} is no placeholder');
  await form.getByLabel('Message').fill('New: {{body.title}}');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Add webhook' }).click();
  const { secret, address } = await shownOnce(page);
  expect(address).toContain(`${url}/api/v1/hooks/`);
  expect(await seriousFaults(page)).toEqual([]);

  const body = JSON.stringify({ title: 'Save fails' });
  const { status, run } = await deliver(address, secret, body, 'msg_1');
  expect(status).toBe(202);
  expect(await deliver(address, secret, body, 'msg_1')).toEqual({ status: 202, run });
  expect((await deliver(address, `whsec_${Buffer.alloc(32).toString('base64')}`, body)).status).toBe(401);
  await page.reload();
  const started = item(page, 'Issues').getByRole('list', { name: 'What Issues started' });
  await expect(started.getByRole('link', { name: /Completed/ })).toBeVisible();
  await expect(started.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText(secret)).toBeHidden();

  await item(page, 'Issues').getByRole('link', { name: 'All runs of Issues' }).click();
  const rows = page.getByRole('link', { name: /New: Save fails/ });
  await expect(rows).toHaveCount(1);
  await rows.click();
  await expect(page).toHaveURL(new RegExp(`/r/${run}`));
  await expect(page.getByRole('link', { name: 'Trigger Issues' })).toBeVisible();
});

test('a webhook takes the new secret and refuses the old one, and a deleted one is not found @full', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Hooked', files);
  await publish(url, project);
  await page.goto(`/p/${project}/triggers`);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await form.getByLabel('Name').fill('Issues');
  await form.getByLabel('Message').fill('New: {{body.title}}');
  await form.getByRole('button', { name: 'Add webhook' }).click();
  const { secret, address } = await shownOnce(page);
  const body = JSON.stringify({ title: 'Save fails' });
  await item(page, 'Issues').getByRole('button', { name: 'New secret of Issues' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await expect(shownSecret(page)).not.toHaveText(secret);
  const renewed = await shownSecret(page).innerText();
  expect((await deliver(address, secret, body)).status).toBe(401);
  expect((await deliver(address, renewed, body)).status).toBe(202);
  await item(page, 'Issues').getByRole('button', { name: 'Delete Issues' }).click();
  await page.getByRole('button', { name: 'Delete trigger' }).click();
  await expect(page.getByRole('heading', { name: 'No triggers yet' })).toBeVisible();
  expect((await deliver(address, renewed, body)).status).toBe(404);
});

test('a schedule shows its due times, is paused, run by hand, and edited', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Scheduled', files);
  await publish(url, project);
  await page.goto(`/p/${project}/triggers`);
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel('Name').fill('Mondays');
  await form.getByLabel('Fields').fill('61 * * * *');
  await expect(form.getByText('The schedule cannot be read')).toBeVisible();
  await form.getByLabel('Fields').fill('0 7 * * 1');
  await form.getByLabel('Time zone').fill('Europe/Berlin');
  await expect(form.getByText(/^Next \w{3} \d+ \w{3}, \d\d:\d\d · /)).toBeVisible();
  await form.getByLabel('Message').fill('At {{due}}');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Add schedule' }).click();
  const mondays = item(page, 'Mondays');
  await expect(mondays).toContainText(/Next .*, in /);
  const started = mondays.getByRole('list', { name: 'What Mondays started' });

  await mondays.getByRole('button', { name: 'Pause Mondays' }).click();
  await expect(mondays.getByText('Off', { exact: true })).toBeVisible();
  await mondays.getByRole('button', { name: 'Run now: Mondays' }).click();
  await expect(started).toContainText('by a person');
  await expect(started.getByRole('link', { name: /Completed/ })).toBeVisible();

  await mondays.getByRole('button', { name: 'Edit Mondays' }).click();
  await page.getByRole('dialog', { name: 'Edit Mondays' }).getByLabel('Message').fill('Again at {{due}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.reload();
  await mondays.getByRole('button', { name: 'Edit Mondays' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Mondays' }).getByLabel('Message')).toHaveValue(
    'Again at {{due}}',
  );
});
