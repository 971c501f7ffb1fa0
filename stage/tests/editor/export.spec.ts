import { expect, test } from '../stage';

test('the export says what files with secrets are, and leaves them out unless asked', async ({ page, stage }) => {
  await stage.openEditor({
    'agent-cards/poet.md': '---\nname: poet\n---\nWrite.\n',
    '.env': 'KEY=hidden\n',
    'fastagent.secrets.yaml': 'openai: { api_key: hidden }\n',
  });
  await page.locator('header').getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const secrets = dialog.getByRole('region', { name: 'Files with secrets' });
  await expect(secrets).toContainText('these files hold keys and passwords');
  await expect(secrets).toContainText('fast-agent reads variables from .env when it starts.');
  await expect(secrets).toContainText('A secrets file gives values to settings that the config leaves out.');
  await expect(secrets.getByRole('listitem')).toHaveText(['.env', 'fastagent.secrets.yaml']);
  const files = dialog.getByRole('list', { name: 'Files of the export' });
  const link = dialog.getByRole('link', { name: 'Download zip' });
  for (const form of ['For fast-agent', 'As authored']) {
    await dialog.getByRole('tab', { name: form }).click();
    await expect(files).toContainText('agent-cards/poet.md');
    await expect(files).not.toContainText(/\.env|secrets/);
    await expect(link).toHaveAttribute('href', /secrets=omit/);
  }
  await secrets.getByLabel('Include these 2 files').check();
  for (const name of ['.env', 'fastagent.secrets.yaml']) await expect(files).toContainText(name);
  await expect(link).not.toHaveAttribute('href', /secrets=omit/);
  await dialog.getByRole('tab', { name: 'Compiled' }).click();
  await expect(dialog).not.toContainText('hidden');
});
