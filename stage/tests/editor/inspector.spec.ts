import { graph, pickModel, seriousFaults, showPanel } from '@/e2e/pages';
import { expect, test } from '../stage';

const card = (name: string, fields: string) => `---\nname: ${name}\n${fields}---\nYou are ${name}.\n`;

test('below a model stands who serves it, at which address, and whether there is a key @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({
    'agent-cards/lead.md': card('lead', 'default: true\nmodel: generic\nagents: [kid]\n'),
    'agent-cards/kid.md': card('kid', ''),
    'fast-agent.yaml': 'generic:\n  base_url: http://127.0.0.1:1234/v1\n  default_model: qwen3\n',
    'fast-agent.secrets.yaml': 'generic:\n  api_key: sk-never-to-be-shown\n',
  });
  await graph(page).getByText('lead', { exact: true }).click();
  await showPanel(page, 'Inspector');
  const served = page.getByRole('region', { name: 'Who serves the model' });
  await expect(served.getByRole('term')).toHaveText([
    'Provider',
    'Model',
    'Address',
    'Format',
    'Key',
    'Price',
    'Context',
    'Can do',
  ]);
  await expect(served.getByRole('definition')).toHaveText([
    'Generic',
    /generic → stands for qwen3/,
    'http://127.0.0.1:1234/v1',
    'OpenAI’s chat completions',
    'Set',
    'Not known',
    'Not known',
    'JSON schema',
  ]);
  await expect(page.getByText('sk-never-to-be-shown')).toHaveCount(0);
  expect(await seriousFaults(page)).toEqual([]);

  await pickModel(page, page.getByRole('combobox', { name: 'Model', exact: true }).first(), 'bedrock.titan');
  await expect(served).toContainText("Model 'bedrock.titan' is not served");
  await page.screenshot({ path: test.info().outputPath('unserved.png') });

  await showPanel(page, 'Outline');
  await page.getByRole('treeitem', { name: 'kid' }).click();
  await showPanel(page, 'Inspector');
  await expect(served).toHaveText(/It runs on the model of its caller, lead\./);
});

test('a server is added, named, given an address with a header, and renamed with what uses it @phone-full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({ 'agent-cards/lead.md': card('lead', 'default: true\n') });
  await showPanel(page, 'Outline');
  await page.getByRole('button', { name: 'MCP server', exact: true }).click();
  await graph(page).getByRole('textbox', { name: 'New name of server' }).fill('search');
  await page.keyboard.press('Enter');
  await showPanel(page, 'Inspector');
  await page.getByRole('combobox', { name: 'Transport' }).click();
  await page.getByRole('option', { name: 'http', exact: true }).click();

  const url = page.getByRole('textbox', { name: 'URL' });
  await url.fill('');
  await expect(page.getByText('Give the address of the server.')).toBeVisible();
  await url.fill('https://example.com/mcp');
  await page.getByRole('button', { name: 'Add header' }).click();
  const header = page.getByRole('textbox', { name: 'Name of the new header' });
  await header.fill('No header');
  await expect(page.getByText('A header has only letters, digits and - in its name.')).toBeVisible();
  await header.fill('Authorization');
  await header.press('Tab');
  const value = page.getByRole('textbox', { name: 'Value of Authorization' });
  await value.fill('Bearer abc');
  await value.press('Tab');
  await page.screenshot({ path: test.info().outputPath('server.png') });
  expect(await seriousFaults(page)).toEqual([]);

  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill('find');
  await field.press('Enter');
  await expect(field).toBeFocused();
  await page.getByRole('button', { name: 'Open fast-agent.yaml' }).click();
  await expect(page.getByLabel('Text of fast-agent.yaml')).toContainText(
    /find:.*url: https:\/\/example\.com\/mcp.*headers:.*Authorization: "?Bearer abc/s,
  );
});
