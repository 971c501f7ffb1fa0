import { node } from '@/e2e/canvas';
import { expectNoEdits, expectSavedFiles, graph } from '@/e2e/pages';
import { compose } from '../compose';
import { expect, test } from '../stage';

/** The Enter that takes a word of an input method does nothing else, whatever is typed into. */

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
};

test('in names, lists and the palette', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').click();
  await page.keyboard.press('F2');
  const name = page.getByLabel(/^New name of/);
  await name.fill('');
  await compose(page, name, ['h', 'ひ', 'ひょう'], '表');
  await expect(name).toHaveValue('表');
  await page.keyboard.press('Enter');
  await expect(name).toBeHidden();
  await expect(node(page, 'agent:表')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  const search = page.getByRole('dialog').getByRole('combobox');
  await compose(page, search, ['り', 'りー'], 'lead');
  await page.keyboard.press('Escape');
  await node(page, 'agent:表').click();
  await page.keyboard.press('n');
  const add = page.getByRole('dialog', { name: 'Add to the canvas' });
  await compose(page, add.getByRole('combobox'), ['さ', 'さく'], '作家');
  await expect(add.getByRole('option').first()).toContainText("New agent '作家'");
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+f');
  const find = page.getByRole('dialog', { name: 'Find in the project' });
  await compose(page, find.getByRole('combobox'), ['た', 'たす'], 'Help');
  await page.keyboard.press('Escape');
  await expect(graph(page).locator('.react-flow__node')).toHaveCount(2);
  await expectSavedFiles(page, () => stage.savedFiles(), {
    'agent-cards/lead.md': files['agent-cards/lead.md'].replace('kid', '表'),
    'agent-cards/表.md': files['agent-cards/kid.md'].replace('kid', '表'),
  });
});

test('in fields of forms, pickers and notes @full', async ({ page, stage }) => {
  const settings = 'version: 1\ncanvas:\n  notes: [{ id: n1, text: Read me., x: 0, y: 300 }]\n';
  await stage.openEditor({ ...files, 'callboard.yaml': settings });
  await node(page, 'agent:lead').click();
  const description = page.getByRole('textbox', { name: 'Description', exact: true });
  await description.click();
  await compose(page, description, ['し', 'しじ'], '指示');
  const children = page.getByRole('combobox', { name: 'Child agents' });
  await children.click();
  await compose(page, children, ['さ', 'さく'], '作家');
  await expect(page.getByRole('listbox', { name: 'Child agents' })).toBeVisible();
  await page.keyboard.press('Escape');
  const inspector = page.locator('section[aria-label="Inspector"]');
  await inspector.getByRole('combobox', { name: 'Model', exact: true }).click();
  await compose(page, page.locator(':focus'), ['も', 'もで'], '模型');
  await page.keyboard.press('Escape');
  const note = node(page, 'note:n1');
  await note.dblclick();
  await compose(page, note.getByRole('textbox'), ['よ', 'よむ'], '読む');
  await page.keyboard.press('Escape');
  await expectSavedFiles(page, () => stage.savedFiles(), {
    ...files,
    'agent-cards/lead.md': files['agent-cards/lead.md'].replace('agents:', 'description: 指示\nagents:'),
    'callboard.yaml': settings.replace('Read me.', 'Read me.読む'),
  });
});

test('in the arguments of a server @full', async ({ page, stage }) => {
  const config = 'mcp:\n  servers:\n    time: { command: npx, args: [old] }\n';
  await stage.openEditor({ ...files, 'fast-agent.yaml': config });
  await node(page, 'server:time').click();
  const first = page.getByLabel('Argument 1', { exact: true });
  await first.click();
  await compose(page, first, ['り', 'りー'], 'word');
  await stage.idle();
  await expect(first).toBeFocused();
  await expect(page.getByLabel('Argument 2', { exact: true })).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Argument 2', { exact: true })).toBeFocused();
});

test('in a text editor in a dialog, which stays @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').click();
  await page.getByRole('button', { name: 'Edit wide' }).click();
  const dialog = page.getByRole('dialog', { name: 'Instruction of kid' });
  await compose(page, dialog.getByRole('textbox', { name: 'Instruction of kid' }), ['た', 'たす'], '助け');
  await expect(dialog).toBeVisible();
  // The editor may still look for completions of the word, which is no list to close.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('in the text of a file and its search, and in the path of a new file @full', async ({ page, stage }) => {
  await stage.openEditor(files);
  await node(page, 'agent:kid').press('Enter');
  const text = page.getByRole('textbox', { name: 'Text of agent-cards/kid.md' });
  await text.click();
  await page.keyboard.press('ControlOrMeta+End');
  await compose(page, text, ['た', 'たす'], '助け');
  await expect(text.locator('.cm-line')).toHaveCount(5);
  await page.keyboard.press('ControlOrMeta+f');
  const find = page.getByRole('search', { name: 'Find in the file' });
  await compose(page, find.getByRole('textbox', { name: 'Find' }), ['け'], '助');
  await expect(find.getByRole('status')).toHaveText('1');
  await page.keyboard.press('Escape');
  await expectSavedFiles(page, () => stage.savedFiles(), {
    ...files,
    'agent-cards/kid.md': `${files['agent-cards/kid.md']}助け`,
  });

  await page.getByRole('tab', { name: /^Files/ }).click();
  await page.getByRole('button', { name: 'New file' }).click();
  const path = page.getByRole('textbox', { name: 'Path' });
  await compose(page, path, ['め', 'めも'], 'メモ.md');
  await page.keyboard.press('Escape');
  await expect(path).toBeHidden();
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await expectNoEdits(page);
});
