import { afterEach, expect, test } from 'vitest';
import { keepCompositionKeys } from './composition-keys';

/**
 * Presses a key in the element, and returns what hears it. Menus and dialogs listen at the document before the element hears
 * a key, and the browser itself empties a search field by Escape.
 */
function press(where: string, init: KeyboardEventInit): string[] {
  document.body.innerHTML =
    '<input id="field"><div class="cm-editor"><input id="find"><div class="cm-content" id="text"></div></div>';
  const heard: string[] = [];
  const element = document.getElementById(where);
  const ofMenu = () => heard.push('menu');
  document.addEventListener('keydown', ofMenu, { capture: true });
  element?.addEventListener('keydown', () => heard.push(where));
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
  element?.dispatchEvent(event);
  if (!event.defaultPrevented && init.key === 'Escape') heard.push('browser');
  document.removeEventListener('keydown', ofMenu, { capture: true });
  return heard;
}

let stop = keepCompositionKeys(window);
afterEach(() => {
  stop();
  stop = keepCompositionKeys(window);
});

test.each(['field', 'find', 'text'])('a key of a composition in %s reaches no field, menu or dialog', (where) => {
  for (const key of ['Enter', 'Escape', 'Tab', 'ArrowDown']) {
    expect(press(where, { key, isComposing: true, keyCode: 229 })).toEqual([]);
  }
});

test.each(['field', 'find', 'text'])(
  'in %s neither does the Escape that Safari sends after the composition',
  (where) => {
    expect(press(where, { key: 'Escape', keyCode: 229 })).toEqual([]);
  },
);

test('the text editor alone hears the other keys after a composition, which it may have to count', () => {
  expect(press('text', { key: 'Enter', keyCode: 229 })).toEqual(['menu', 'text']);
  expect(press('find', { key: 'Enter', keyCode: 229 })).toEqual([]);
});

test('other keys reach everything, and all keys do so at the end', () => {
  expect(press('text', { key: 'Escape' })).toEqual(['menu', 'text', 'browser']);
  stop();
  expect(press('field', { key: 'Enter', isComposing: true })).toEqual(['menu', 'field']);
});
