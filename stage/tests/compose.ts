import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Composes a word in the field that has the focus, as an input method does: letter by letter, with the keys by which a person moves among its
 * candidates, leaves them and takes one. None of these keys may do anything else, so the field keeps the focus and what is being composed.
 */
export async function compose(page: Page, field: Locator, steps: readonly string[], word: string): Promise<void> {
  await expect(field).toBeFocused();
  const browser = await page.context().newCDPSession(page);
  for (const text of steps) {
    await browser.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  for (const key of ['ArrowDown', 'Tab', 'Escape', 'Enter']) {
    await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: 229 });
  }
  await expect(field).toBeFocused();
  await expect.poll(() => textOf(field)).toContain(steps.at(-1) ?? '');
  await browser.send('Input.insertText', { text: word });
  // The key that took the word is released after the composition has ended.
  await browser.send('Input.dispatchKeyEvent', {
    ...{ type: 'keyUp', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 },
  });
  await expect(field).toBeFocused();
  await expect.poll(() => textOf(field)).toContain(word);
  await browser.detach();
}

function textOf(field: Locator): Promise<string> {
  return field.evaluate((element) =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.value
      : (element.textContent ?? ''),
  );
}
