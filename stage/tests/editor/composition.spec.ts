import type { Locator, Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expectSavedFiles, graph } from '@/e2e/pages';
import { expect, test } from '../stage';

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nLead.\n',
  'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
};

/** Composes a word as an input method does, with the keys by which a person moves among its candidates and takes one. */
async function compose(page: Page, field: Locator, steps: readonly string[], word: string) {
  await field.focus();
  const browser = await page.context().newCDPSession(page);
  for (const text of steps) {
    await browser.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  for (const key of ['ArrowDown', 'Tab', 'Escape', 'Enter']) {
    await field.dispatchEvent('keydown', { key, keyCode: 229, isComposing: true, bubbles: true, cancelable: true });
  }
  await expect(field).toBeVisible();
  await browser.send('Input.insertText', { text: word });
}

test('the Enter that takes a word of an input method ends no field', async ({ page, stage }) => {
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
  await expect(search).toHaveValue('lead');
  await page.keyboard.press('Escape');
  await expect(graph(page).locator('.react-flow__node')).toHaveCount(2);
  await expectSavedFiles(page, () => stage.savedFiles(), {
    'agent-cards/lead.md': files['agent-cards/lead.md'].replace('kid', '表'),
    'agent-cards/表.md': files['agent-cards/kid.md'].replace('kid', '表'),
  });
});

test('the Enter that takes a word of an input method leaves no argument of a server', async ({ page, stage }) => {
  const config = 'mcp:\n  servers:\n    time: { command: npx, args: [old] }\n';
  await stage.openEditor({ ...files, 'fast-agent.yaml': config });
  await node(page, 'server:time').click();
  const first = page.getByLabel('Argument 1', { exact: true });
  await compose(page, first, ['り', 'りー'], 'word');
  // The key is released after the composition has ended.
  await first.dispatchEvent('keyup', { key: 'Enter', bubbles: true });
  await stage.idle();
  await expect(first).toBeFocused();
  await expect(page.getByLabel('Argument 2', { exact: true })).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Argument 2', { exact: true })).toBeFocused();
});
