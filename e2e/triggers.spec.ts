import { createHmac, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { createProject } from './api';
import { graph, openEditor, seriousFaults } from './pages';
import { expect, test } from './test';
import { signedIn } from './test-token';

/** One person lets other programs and the clock start what is live. */

test.describe.configure({ timeout: 240_000 });

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

test('a webhook is made, a signed message starts what is live once, and its run is in its own list', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Hooked', files);
  await publish(url, project);
  await openEditor(page, project);
  await expect(graph(page)).toBeVisible();
  await page.locator('header').getByRole('link', { name: 'Triggers' }).click();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await form.getByLabel('Name').fill('Issues');
  await form.getByLabel('Message').fill('New: {{body.title}} {{nothing}}');
  await form.getByRole('button', { name: 'Add webhook' }).click();
  await expect(form.getByRole('alert')).toContainText('{{nothing}} is no placeholder');
  await form.getByLabel('Message').fill('New: {{body.title}}');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Add webhook' }).click();
  const secret = await page
    .getByRole('status')
    .getByText(/^whsec_/)
    .innerText();
  const address = (
    await item(page, 'Issues')
      .getByText(/^POST /)
      .innerText()
  ).slice('POST '.length);
  expect(address).toContain(`${url}/api/v1/hooks/`);
  expect(await seriousFaults(page)).toEqual([]);

  const body = JSON.stringify({ title: 'Save fails' });
  const { status, run } = await deliver(address, secret, body, 'msg_1');
  expect(status).toBe(202);
  expect(await deliver(address, secret, body, 'msg_1')).toEqual({ status: 202, run });
  expect((await deliver(address, `whsec_${Buffer.alloc(32).toString('base64')}`, body)).status).toBe(401);
  await page.reload();
  const started = item(page, 'Issues').getByRole('list', { name: 'What Issues started' });
  await expect(started.getByRole('link', { name: /Completed/ })).toBeVisible({ timeout: 60_000 });
  await expect(started.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText(secret)).toBeHidden();

  await item(page, 'Issues').getByRole('link', { name: 'All runs of Issues' }).click();
  const rows = page.getByRole('link', { name: /New: Save fails/ });
  await expect(rows).toHaveCount(1);
  await rows.click();
  await expect(page).toHaveURL(new RegExp(`/r/${run}`));
  await expect(page.getByRole('link', { name: 'Trigger Issues' })).toBeVisible();

  await page.getByRole('link', { name: 'Trigger Issues' }).click();
  await item(page, 'Issues').getByRole('button', { name: 'New secret of Issues' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  const renewed = await page
    .getByRole('status')
    .getByText(/^whsec_/)
    .innerText();
  expect((await deliver(address, secret, body)).status).toBe(401);
  expect((await deliver(address, renewed, body)).status).toBe(202);
  await item(page, 'Issues').getByRole('button', { name: 'Delete Issues' }).click();
  await page.getByRole('button', { name: 'Delete trigger' }).click();
  await expect(page.getByRole('heading', { name: 'No triggers yet' })).toBeVisible();
  expect((await deliver(address, renewed, body)).status).toBe(404);
});

test('a schedule shows its due times, starts a run at one, is paused, run by hand, and switched off when it fails in a row', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Scheduled', files);
  await publish(url, project);
  await page.goto(`/p/${project}/triggers`);
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel('Name').fill('Minutes');
  await form.getByLabel('Fields').fill('61 * * * *');
  await expect(form.getByText('The schedule cannot be read')).toBeVisible();
  await form.getByLabel('Fields').fill('* * * * *');
  await form.getByLabel('Time zone').fill('Europe/Berlin');
  await expect(form.getByText(/^Next \w{3} \d+ \w{3}, \d\d:\d\d · /)).toBeVisible();
  await form.getByLabel('Message').fill('At {{due}}');
  await form.getByLabel(/^Switch off after/).fill('1');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Add schedule' }).click();
  const minutes = item(page, 'Minutes');
  await expect(minutes).toContainText(/Next .*, in (1 minute|less than a minute)/);
  const started = minutes.getByRole('list', { name: 'What Minutes started' });
  await expect(started.getByRole('link', { name: /Completed/ }).first()).toBeVisible({ timeout: 100_000 });
  await expect(started).toContainText('due');

  await minutes.getByRole('button', { name: 'Pause Minutes' }).click();
  await expect(minutes.getByText('Off', { exact: true })).toBeVisible();
  await minutes.getByRole('button', { name: 'Run now: Minutes' }).click();
  await expect(started).toContainText('by a person');

  // A label that nothing has.
  await minutes.getByRole('button', { name: 'Edit Minutes' }).click();
  await page.getByRole('dialog', { name: 'Edit Minutes' }).getByLabel('Message').fill('Again at {{due}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const [trigger = { id: '' }] = z
    .object({ triggers: z.array(z.looseObject({ id: z.string(), message: z.string() })) })
    .parse(await (await fetch(`${url}/api/v1/projects/${project}/triggers`, { headers: signedIn })).json()).triggers;
  expect(trigger).toMatchObject({ message: 'Again at {{due}}' });
  const change = { enabled: true, target: { label: 'staging' } };
  await fetch(`${url}/api/v1/projects/${project}/triggers/${trigger.id}`, {
    method: 'PATCH',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  await page.reload();
  await expect(minutes.getByText('Switched off', { exact: true })).toBeVisible({ timeout: 100_000 });
  await expect(minutes).toContainText("No revision of this project has the label 'staging'");
  expect(await seriousFaults(page)).toEqual([]);
  await page.goto('/notices');
  await expect(page.getByRole('list', { name: 'Notices' })).toContainText(
    'Callboard switched off the trigger Minutes of Scheduled after a failure',
    { timeout: 60_000 },
  );
});
