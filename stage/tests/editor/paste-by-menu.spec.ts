import type { Page } from '@playwright/test';
import { node } from '@/e2e/canvas';
import { expect, test } from '../stage';

/** A person without a keyboard, as on a phone, copies and pastes by the menu of the canvas. */

declare global {
  interface Window {
    /** The text of the clipboard; without it the browser refuses to hand it over. */
    clipboardOfTest?: string;
  }
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const clipboard = {
      readText: async () => {
        if (window.clipboardOfTest === undefined) throw new DOMException('Refused.', 'NotAllowedError');
        return window.clipboardOfTest;
      },
      writeText: async (text: string) => {
        window.clipboardOfTest = text;
      },
    };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
  });
});

const files = {
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nagents: [writer]\n---\nLead.\n',
  'agent-cards/writer.md': '---\nname: writer\n---\nWrite.\n',
};

async function openPaneMenu(page: Page) {
  const pane = page.locator('.react-flow__pane');
  await pane.click({ button: 'right', position: { x: 30, y: 30 } });
}

test('the menu of the canvas pastes a card, servers and a copied agent @phone-full', async ({ page, stage }) => {
  await stage.openEditor(files);
  const paste = async (text: string) => {
    await page.evaluate((given) => {
      window.clipboardOfTest = given;
    }, text);
    await openPaneMenu(page);
    await page.getByRole('menuitem', { name: 'Paste' }).click();
  };
  await paste('---\nname: critic\n---\nJudge.\n');
  await expect(node(page, 'agent:critic')).toBeVisible();
  await paste('{"mcpServers": {"clock": {"command": "node", "args": ["clock.mjs"]}}}');
  await expect(page.locator('.react-flow__node')).toHaveCount(4);
  await node(page, 'agent:writer').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await openPaneMenu(page);
  await page.getByRole('menuitem', { name: 'Paste' }).click();
  await expect(page.locator('.react-flow__node')).toHaveCount(5);
  await paste(' ');
  await expect(page.getByText('The clipboard has no text.')).toBeVisible();
});

test('a browser that refuses the clipboard gives a field, which says what it does not understand @full @phone-full', async ({
  page,
  stage,
}) => {
  await stage.openEditor(files);
  await openPaneMenu(page);
  await page.getByRole('menuitem', { name: 'Paste' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste' });
  const field = dialog.getByRole('textbox', { name: 'Text' });
  await expect(field).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Add' })).toBeDisabled();
  await field.fill('hello');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toContainText('The pasted text was not understood.');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('hello');
  await field.fill('---\nname: critic\n---\nJudge.\n');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toBeHidden();
  await expect(node(page, 'agent:critic')).toBeVisible();
});

test('a long press opens the menu of the canvas, which pastes there @phone', async ({ page, stage }) => {
  await stage.openEditor(files);
  await page.evaluate(() => {
    window.clipboardOfTest = '---\nname: critic\n---\nJudge.\n';
  });
  const box = await page.locator('.react-flow__pane').boundingBox();
  const finger = { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + 30 };
  const browser = await page.context().newCDPSession(page);
  await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] });
  const paste = page.getByRole('menuitem', { name: 'Paste' });
  await expect(paste).toBeVisible();
  await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await stage.idle();
  await paste.click();
  await expect(node(page, 'agent:critic')).toBeVisible();
  await openPaneMenu(page);
  // A tap beside the menu closes it.
  const aside = { x: finger.x + 300, y: finger.y + 300 };
  await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [aside] });
  await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(paste).toBeHidden();
});

test('a text that cannot be pasted now stays in the field, which says why @full', async ({ page, stage }) => {
  await stage.openEditor({ ...files, 'callboard.yaml': 'limits: [\n' });
  await openPaneMenu(page);
  await page.getByRole('menuitem', { name: 'Paste' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste' });
  const text = '---\nname: critic\n---\nJudge.\n';
  await dialog.getByRole('textbox', { name: 'Text' }).fill(text);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toContainText('callboard.yaml cannot be read');
  await expect(dialog.getByRole('textbox', { name: 'Text' })).toHaveValue(text);
});

test('a person who may only read copies by the menu @full', async ({ page, stage }) => {
  await stage.open('editor/for-somebody-who-only-views');
  await node(page, 'agent:lead').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => window.clipboardOfTest)).toContain('name: lead');
});
