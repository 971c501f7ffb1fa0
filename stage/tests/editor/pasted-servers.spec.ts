import type { Page } from '@playwright/test';
import { node, pasteText, selected } from '@/e2e/canvas';
import { expectSavedFiles } from '@/e2e/pages';
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

test('a command line that is pasted into a server is split, and its other settings stay', async ({ page, stage }) => {
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

test('a text that is not understood is said, and several servers do not become a command', async ({ page, stage }) => {
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

test('a line that is pasted as a new argument is split', async ({ page, stage }) => {
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

test('cards that are pasted as files are brought as dropped ones', async ({ page, stage }) => {
  await stage.openEditor(card);
  await node(page, 'agent:lead').click();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['---\nname: poet\n---\nWrite.\n'], 'poet.md', { type: 'text/markdown' }));
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  await expect(page.getByRole('dialog')).toContainText('poet');
});
