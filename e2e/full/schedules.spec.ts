import type { Page } from '@playwright/test';
import { z } from 'zod';
import { createProject, publishDraft } from '../api';
import { seriousFaults } from '../pages';
import { expect, test } from '../test';
import { signedIn } from '../test-token';

/** The clock starts what is live. It takes minutes, because a schedule has nothing shorter. */

const files = {
  'agent-cards/echo.md': '---\nname: echo\ndefault: true\nmodel: passthrough\n---\nEcho.\n',
};

const item = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Triggers' }).getByLabel(name, { exact: true });

test('a schedule starts a run when it is due, and is switched off when it fails in a row', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  const project = await createProject(url, 'Scheduled', files);
  await publishDraft(url, project);
  await page.goto(`/p/${project}/triggers`);
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const form = page.getByRole('dialog', { name: 'New schedule' });
  await form.getByLabel('Name').fill('Minutes');
  await form.getByLabel('Fields').fill('* * * * *');
  await form.getByLabel('Message').fill('At {{due}}');
  await form.getByLabel(/^Switch off after/).fill('1');
  await form.getByRole('button', { name: 'Add schedule' }).click();
  const minutes = item(page, 'Minutes');
  await expect(minutes).toContainText(/Next .*, in (1 minute|less than a minute)/);
  const started = minutes.getByRole('list', { name: 'What Minutes started' });
  await expect(started.getByRole('link', { name: /Completed/ }).first()).toBeVisible({ timeout: 100_000 });
  await expect(started).toContainText('due');

  // A label that nothing has.
  const [trigger = { id: '' }] = z
    .object({ triggers: z.array(z.looseObject({ id: z.string(), message: z.string() })) })
    .parse(await (await fetch(`${url}/api/v1/projects/${project}/triggers`, { headers: signedIn })).json()).triggers;
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
    { timeout: 20_000 },
  );
});
