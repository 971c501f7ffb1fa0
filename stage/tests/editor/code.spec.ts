import type { Page } from '@playwright/test';
import { graph, seriousFaults, showPanel } from '@/e2e/pages';
import { expect, test } from '../stage';

const files = {
  'agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nmodel: passthrough\nagents: [writer]\nservers: [time]\n---\nLead.\n',
  'agent-cards/writer.md':
    '---\nname: writer\ndescription: Writes texts.\nfunction_tools: ["../extra.py:add_two"]\n---\nWrite.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time:\n      url: https://example.com/mcp\n',
  'callboard.yaml': 'version: 1\ncanvas:\n  positions:\n    agent:writer: {x: 400, y: 120}\n',
  'tools.py': 'import os\n\n\ndef add_one(x: int) -> int:\n    """Adds one."""\n    return x + 1\n',
};

async function openFromFiles(page: Page, path: string) {
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: /^Files/ }).click();
  await page.getByRole('list', { name: 'Files' }).getByRole('button', { name: path, exact: true }).click();
  const text = page.getByRole('textbox', { name: `Text of ${path}` });
  await expect(text).toBeFocused();
  return text;
}

test('a file opens in a wide editor with colours, beside or over the canvas, with a way back', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  const text = await openFromFiles(page, 'tools.py');
  const width = async () => (await text.boundingBox())?.width ?? 0;
  expect(await width()).toBeGreaterThan(360);
  await expect(graph(page)).toBeVisible();
  const colour = (word: string) =>
    text
      .getByText(word, { exact: true })
      .first()
      .evaluate((part) => getComputedStyle(part).color);
  const plain = await text.evaluate((part) => getComputedStyle(part).color);
  await expect.poll(() => colour('import')).not.toBe(plain);
  await page.getByRole('button', { name: 'Over the canvas' }).click();
  await expect(graph(page)).toBeHidden();
  await page.getByRole('button', { name: 'Beside the canvas' }).click();
  await expect(graph(page)).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  await text.press('ControlOrMeta+f');
  const find = page.getByRole('search', { name: 'Find in the file' });
  await find.getByRole('textbox', { name: 'Find' }).fill('add');
  await expect(find.getByRole('status')).toHaveText(/of 2|2/);
  await find.getByRole('button', { name: 'Match case' }).click();
  await expect(find.getByRole('status')).toHaveText(/1/);
  await expect(find.locator('input[type=checkbox]')).toHaveCount(0);
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('find.png') });
  await page.keyboard.press('Escape');
  await expect(find).toBeHidden();

  // The file stays open in the inspector, so that another click is no way around.
  await page.getByRole('button', { name: 'Back to the canvas' }).click();
  await expect(page.getByRole('region', { name: 'Text editor' })).toBeHidden();
  await expect(graph(page)).toBeVisible();
});

test('typing a name keeps the last picture until the line is left, then references follow', async ({ page, stage }) => {
  await stage.openEditor(files);
  await openFromFiles(page, 'agent-cards/writer.md');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  for (let n = 0; n < 'writer'.length; n++) await page.keyboard.press('Backspace');
  await page.keyboard.type('author');
  await expect(page.getByText('canvas not updated')).toBeVisible();
  await expect(graph(page).getByText('writer', { exact: true })).toBeVisible();
  await expect(graph(page).getByText('author', { exact: true })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(graph(page).getByText('author', { exact: true })).toBeVisible();
  await expect(graph(page).getByText('writer', { exact: true })).toHaveCount(0);
  // The file follows its agent, and the cursor stays in the text.
  await expect(page.getByRole('textbox', { name: 'Text of agent-cards/author.md' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(async () => (await stage.savedFiles())['agent-cards/lead.md']).toContain('agents: [author]');
  expect((await stage.savedFiles())['callboard.yaml']).toContain('agent:author:');
});

test('names are completed, words are explained, definitions open, and problems are fixed', async ({ page, stage }) => {
  await stage.openEditor(files);
  const text = await openFromFiles(page, 'agent-cards/lead.md');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('descr');
  // A list that has just opened ignores Enter for a moment, so that a quick line end is not a choice.
  await page.getByRole('option', { name: /^description/ }).click();
  await page.keyboard.type('Leads.');
  await expect(text.locator('.cm-line').nth(2)).toHaveText('description: Leads.');

  await text.getByText('agents', { exact: false }).first().hover();
  await page.mouse.move(0, 0);
  const word = text.locator('.cm-line', { hasText: 'agents:' });
  await word.hover({ position: { x: 12, y: 8 } });
  await expect(page.locator('.cm-help')).toContainText('each as a tool');

  await word.click({ position: { x: 80, y: 8 } });
  await page.keyboard.press('F12');
  await expect(page.getByRole('textbox', { name: 'Text of agent-cards/writer.md' })).toBeFocused();
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(1);
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await page.getByRole('button', { name: 'Create extra.py with add_two' }).click();
  await expect(page.getByRole('textbox', { name: 'Text of extra.py' })).toContainText('def add_two(text: str) -> str:');
  await expect(page.getByText('No problems')).toBeVisible();
});

test('a new file takes the focus every time, so that what is typed is its text @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  for (const path of ['one.ts', 'two.md']) {
    await showPanel(page, 'Run');
    await page.getByRole('tab', { name: /^Files/ }).click();
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill(path);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: `Text of ${path}` })).toBeFocused();
    await page.keyboard.type('n?N');
    await expect(page.getByRole('textbox', { name: `Text of ${path}` })).toHaveText('n?N');
  }
  await expect(graph(page).locator('.react-flow__node[data-id^="agent:"]')).toHaveCount(2);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('files are uploaded, downloaded, moved with what names them, and deleted with a warning', async ({
  page,
  stage,
}) => {
  const lead =
    '---\nname: lead\ndefault: true\nmodel: passthrough\nfunction_tools: ["../tools.py:add_one"]\n---\nLead.\n';
  await stage.openEditor({ ...files, ...{ 'agent-cards/lead.md': lead } });
  await showPanel(page, 'Run');
  await page.getByRole('tab', { name: /^Files/ }).click();
  const list = page.getByRole('list', { name: 'Files' });
  await page
    .getByLabel('Files to upload')
    .setInputFiles([{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('Notes.\n') }]);
  await expect(page.getByRole('textbox', { name: 'Text of notes.md' })).toBeFocused();

  await list.getByRole('button', { name: 'More for tools.py' }).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('tools.py');

  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('code');
  await page.keyboard.press('Enter');
  await list
    .getByRole('button', { name: 'tools.py', exact: true })
    .dragTo(list.getByRole('button', { name: /^code\// }));
  await expect(list.getByRole('button', { name: 'code/tools.py', exact: true })).toBeVisible();
  await list.getByRole('button', { name: 'agent-cards/lead.md', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Text of agent-cards/lead.md' })).toContainText(
    '../code/tools.py:add_one',
  );

  await list.getByRole('button', { name: 'More for code/', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete code/?' });
  await expect(dialog.getByRole('listitem')).toHaveText(['agent-cards/lead.md']);
  await page.screenshot({ path: test.info().outputPath('delete.png') });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await seriousFaults(page)).toEqual([]);
});
