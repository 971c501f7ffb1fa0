import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { zipSync } from 'fflate';
import { node, pasteText, selected } from '@/e2e/canvas';
import { expectNoEdits, expectSavedFiles, graph } from '@/e2e/pages';
import { expect, test } from '../stage';

const mine = { 'agent-cards/lead.md': '---\nname: lead\ndefault: true\n---\nLead.\n' };
const theirs = {
  'agent-cards/lead.md': '---\nname: lead\ntool_hooks: [../guard.ts:check]\n---\nTheirs.\n',
  'guard.ts': 'export async function check(ctx, args, next) {\n  return next(args);\n}\n',
  'callboard.yaml': 'version: 1\napprovals:\n  agents:\n    lead: ask\n',
  '.env': 'KEY=hidden\n',
};
const after = {
  ...mine,
  'agent-cards/lead-2.md': theirs['agent-cards/lead.md'].replace('name: lead', 'name: lead-2'),
  'guard.ts': theirs['guard.ts'],
  'callboard.yaml': theirs['callboard.yaml'].replace('lead: ask', 'lead-2: ask'),
};

/** Drops files of the computer on the middle of the canvas, as a person does with the mouse. */
async function drop(page: Page, file: string) {
  const box = await graph(page).boundingBox();
  if (box === null) throw new Error('The canvas is not on the page.');
  const [x, y] = [box.x + box.width / 2, box.y + 40];
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x, y, data });
  }
}

let folder = '';
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callboard-drop-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test('a folder that is dropped on the canvas is shown, and then added without its secrets', async ({ page, stage }) => {
  await stage.openEditor(mine);
  await expect(node(page, 'agent:lead')).toBeVisible();
  for (const [file, text] of Object.entries(theirs)) write(`team/${file}`, text);
  await drop(page, path.join(folder, 'team'));
  const dialog = page.getByRole('dialog', { name: 'Add to this project?' });
  await expect(dialog).toContainText('team brings 1 agent and');
  await expect(dialog.getByRole('list', { name: 'Agents' }).getByRole('listitem')).toHaveText(['lead']);
  await page.keyboard.press('Escape');
  await expectNoEdits(page);
  await drop(page, path.join(folder, 'team'));
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(selected(page)).toHaveText([/lead-2/]);
  await expect(page.getByText("The file '.env'")).toBeVisible();
  await expectSavedFiles(page, () => stage.savedFiles(), after);
  await page.keyboard.press('ControlOrMeta+z');
  await expectSavedFiles(page, () => stage.savedFiles(), mine);
});

test('so are a zip and a card, and a file that is no card says where to drop it @full', async ({ page, stage }) => {
  await stage.openEditor(mine);
  await expect(node(page, 'agent:lead')).toBeVisible();
  const bytes = Object.entries(theirs).map(
    ([file, text]) => [`team-main/${file}`, new TextEncoder().encode(text)] as const,
  );
  await drop(page, write('team.zip', zipSync(Object.fromEntries(bytes))));
  const dialog = page.getByRole('dialog', { name: 'Add to this project?' });
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expectSavedFiles(page, () => stage.savedFiles(), after);

  await drop(page, write('poet.md', '---\nname: poet\n---\nWrite.\n'));
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expectSavedFiles(page, () => stage.savedFiles(), {
    ...after,
    'agent-cards/poet.md': '---\nname: poet\n---\nWrite.\n',
  });

  await drop(page, write('notes.txt', 'Notes.\n'));
  await expect(page.getByText("No agent card is in 'notes.txt'.")).toBeVisible();
});

test('a zip and a card that are pasted as files are shown and added too, and the text of a card is @full', async ({
  page,
  stage,
}) => {
  await stage.openEditor(mine);
  await node(page, 'agent:lead').click();
  const dialog = page.getByRole('dialog', { name: 'Add to this project?' });
  const packed = zipSync({ 'poet.md': new TextEncoder().encode('---\nname: poet\n---\nWrite.\n') });
  await pasteFile(page, 'poets.zip', [...packed]);
  await expect(dialog).toContainText('poets');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(selected(page)).toHaveText([/poet/]);
  await pasteFile(page, 'critic.md', [...new TextEncoder().encode('---\nname: critic\n---\nJudge.\n')]);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(selected(page)).toHaveText([/critic/]);
  await pasteText(page, '---\nname: reader\n---\nRead.\n');
  await expect(selected(page)).toHaveText([/reader/]);
  await expectSavedFiles(page, () => stage.savedFiles(), {
    ...mine,
    'agent-cards/critic.md': '---\nname: critic\n---\nJudge.\n',
    'agent-cards/poet.md': '---\nname: poet\n---\nWrite.\n',
    'agent-cards/reader.md': '---\nname: reader\n---\nRead.\n',
  });
});

/** Pastes a file where the focus is. Only a test in the page can put one on a clipboard. */
async function pasteFile(page: Page, name: string, bytes: readonly number[]) {
  await page.evaluate(
    ([called, content]) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(content)], called));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    },
    [name, bytes] as const,
  );
}
