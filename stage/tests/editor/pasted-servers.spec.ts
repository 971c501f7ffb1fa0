import { parse } from 'yaml';
import { drawWire, node, pasteText, selected } from '@/e2e/canvas';
import { expectSavedFiles, save } from '@/e2e/pages';
import { expect, test } from '../stage';

const card = { 'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n' };
const config =
  'mcp:\n  servers:\n    time:\n      command: npx\n      args: [old]\n      read_timeout_seconds: 9\n      env: { TOKEN: a, KEEP: b }\n      cwd: sub\n';

test('servers of another program are pasted on the canvas, without their secrets', async ({ page, stage }) => {
  await stage.openEditor(card);
  await node(page, 'agent:lead').click();
  const servers = {
    git: { command: 'npx', args: ['-y', 'git'], env: { GIT_TOKEN: 'hidden' } },
    docs: { url: 'https://a.test/mcp' },
  };
  await pasteText(page, JSON.stringify({ mcpServers: servers }));
  await expect(selected(page)).toHaveText([/git/, /docs/]);
  await expect(page.getByText("Set the secret 'GIT_TOKEN' at the server or in Settings")).toBeVisible();
  await expect.poll(async () => (await stage.savedFiles())['fast-agent.yaml'] ?? '').not.toContain('hidden');
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => stage.savedFiles(), card);
});

test('the form of VS Code is pasted in the outline, and a run asks whether the new programs are trusted', async ({
  page,
  stage,
}) => {
  await stage.openEditor(card);
  await page.getByRole('treeitem', { name: 'lead' }).click();
  const entry = { type: 'stdio', command: 'npx', args: ['-y', 'git'], env: { GIT_TOKEN: '${input:git-token}' } };
  await pasteText(page, JSON.stringify({ inputs: [{ id: 'git-token', password: true }], servers: { git: entry } }));
  await expect(selected(page)).toHaveText([/git/]);
  await expect(page.getByText("Set the secret 'GIT_TOKEN' at the server or in Settings")).toBeVisible();
  await drawWire(page, 'agent:lead', 'server:git');
  await save(page);
  await stage.pass(5_000);
  await expect(page.getByRole('status').filter({ hasText: 'Look only' })).toBeVisible();
  await page.getByRole('button', { name: /^Review/ }).click();
  const question = page.getByRole('dialog', { name: 'Trust this folder?' });
  await expect(question.getByRole('region', { name: 'Programs it starts' })).toContainText('npx -y git');
});

test('in the form of a server an entry of Claude or Cursor takes the place of command and address @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({ ...card, 'fast-agent.yaml': config });
  await node(page, 'server:time').click();
  const command = page.getByLabel('Command', { exact: true });
  await command.click();
  const claude = { command: 'uvx', args: ['clock'], env: { API_KEY: 'hidden' } };
  await pasteText(page, JSON.stringify({ mcpServers: { clock: claude } }));
  await expect(command).toHaveValue('uvx');
  await expect(page.getByText("Set the secret 'API_KEY'")).toBeVisible();
  // The focus stays, so that the next keys are no keys of the canvas.
  await expect(command).toBeFocused();
  await page.keyboard.press('Delete');
  const cursor = { url: 'https://clock.test/mcp', headers: { Authorization: 'Bearer hidden' } };
  await pasteText(page, JSON.stringify({ mcpServers: { clock: cursor } }));
  await expect(page.getByLabel('URL', { exact: true })).toHaveValue('https://clock.test/mcp');
  await page.keyboard.press('Delete');
  await expect(node(page, 'server:time')).toBeVisible();
  await save(page);
  const text = (await stage.savedFiles())['fast-agent.yaml'] ?? '';
  expect(text).not.toContain('hidden');
  expect(parse(text).mcp.servers.time).toMatchObject({
    url: 'https://clock.test/mcp',
    headers: { Authorization: expect.stringMatching(/^Bearer \$\{\w+}$/) },
    read_timeout_seconds: 9,
  });
});

test('a command line that is pasted into a server is split, and its other settings stay @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({ ...card, 'fast-agent.yaml': config });
  await node(page, 'server:time').click();
  const field = page.getByLabel('Command', { exact: true });
  await field.click();
  await pasteText(page, 'uvx mcp-server-time --zone "Europe/Berlin X"');
  await expect(field).toHaveValue('uvx');
  await expectSavedFiles(page, () => stage.savedFiles(), {
    ...card,
    'fast-agent.yaml': config
      .replace('command: npx', 'command: uvx')
      .replace('[old]', '[mcp-server-time, "--zone", Europe/Berlin X]'),
  });
});

test('a text that is not understood is said, and several servers do not become a command @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor({ ...card, 'fast-agent.yaml': config });
  await node(page, 'agent:lead').click();
  await pasteText(page, 'hello there');
  await expect(page.getByText('The pasted text was not understood.')).toBeVisible();
  await node(page, 'server:time').click();
  const field = page.getByLabel('Command', { exact: true });
  await field.click();
  await pasteText(page, '{"a": {"command": "x"}, "b": {"command": "y"}}');
  await expect(page.getByText('The pasted text has 2 servers.')).toBeVisible();
  await expect(field).toHaveValue('npx');
});

test('a line that is pasted as a new argument is split @full', async ({ page, stage }) => {
  await stage.openEditor({ ...card, 'fast-agent.yaml': config });
  await node(page, 'server:time').click();
  await page.getByRole('button', { name: 'Add argument' }).click();
  await pasteText(page, '--zone "a b" --token hidden');
  await expect(page.getByLabel('Argument 3', { exact: true })).toHaveValue('a b');
  await expectSavedFiles(page, () => stage.savedFiles(), {
    ...card,
    'fast-agent.yaml': config.replace('[old]', `[old, "--zone", a b, "--token", "$\{TOKEN}"]`),
  });
});
