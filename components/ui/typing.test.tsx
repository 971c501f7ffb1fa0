import { afterEach, beforeEach, expect, test } from 'vitest';
import { isForCanvas } from '@/components/canvas/for-canvas';
import { isTyping, watchFields } from './typing';

let stop = () => {};
beforeEach(() => {
  stop = watchFields(window);
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

function add(html: string): HTMLElement {
  const holder = document.body.appendChild(document.createElement('div'));
  holder.innerHTML = html;
  const [element] = holder.children;
  if (!(element instanceof HTMLElement)) throw new Error('The test has no element.');
  return element;
}

/** Sends a key to whatever has the focus, as a browser does. Returns true if it is typed. */
function press(key: string, target: Element = document.activeElement ?? document.body): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  let typed = false;
  const hear = () => {
    typed = isTyping(event.target);
  };
  window.addEventListener('keydown', hear, { once: true });
  target.dispatchEvent(event);
  return typed;
}

test.each([
  '<input>',
  '<input disabled>',
  '<textarea readonly></textarea>',
  '<select></select>',
  '<div contenteditable="true"></div>',
  '<div contenteditable="false"></div>',
  '<div class="cm-editor"><div></div></div>',
  '<button role="combobox"></button>',
])('a key in %s is typed, whether the field can be edited or not', (html) => {
  const field = add(html);
  expect([isTyping(field), isTyping(field.firstElementChild ?? field)]).toEqual([true, true]);
});

test('other elements, and a page without a field, leave keys to shortcuts', () => {
  expect([isTyping(add('<button></button>')), press('n', document.body)]).toEqual([false, false]);
});

test.each([
  ['disabled', (field: HTMLElement) => field.setAttribute('disabled', '')],
  ['inert', (field: HTMLElement) => field.parentElement?.setAttribute('inert', '')],
  ['removed', (field: HTMLElement) => field.remove()],
])('keys after a field was %s while somebody typed are no shortcuts, until the person goes elsewhere', (_, lock) => {
  const field = add('<textarea></textarea>');
  field.focus();
  press('a');
  lock(field);
  expect([press('n', document.body), press('Delete', document.body)]).toEqual([true, true]);
  document.body.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, clientX: 500, clientY: 500 }));
  expect(press('n', document.body)).toBe(false);
});

test.each(['Enter', 'Escape', 'Tab'])('a field that is left with %s gives the keys back', (key) => {
  const field = add('<input>');
  field.focus();
  press('a');
  press(key);
  field.remove();
  expect(press('n', document.body)).toBe(false);
});

test('a field that goes because of what was pasted into it by a shortcut is lost', () => {
  const field = add('<input>');
  field.focus();
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'v', ctrlKey: true, bubbles: true }));
  field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }));
  field.remove();
  expect(press('Delete', document.body)).toBe(true);
});

test('a click on a locked field does not give the keys to the page, although the main part gets the focus', () => {
  const main = add('<main id="main" tabindex="-1"><div inert><input></div></main>');
  const field = main.querySelector('input');
  if (field === null) throw new Error('The test has no field.');
  field.getBoundingClientRect = () => new DOMRect(0, 0, 100, 20);
  main.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, clientX: 10, clientY: 10 }));
  main.focus();
  expect(press('Delete')).toBe(true);
  main.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, clientX: 10, clientY: 50 }));
  expect(press('Delete')).toBe(false);
});

test('a key of a lost field does not reach the canvas', () => {
  const canvas = add('<div></div>');
  Object.defineProperty(canvas, 'offsetParent', { value: document.body });
  const field = add('<input>');
  expect(isForCanvas(canvas, document.body)).toBe(true);
  field.focus();
  field.remove();
  press('n', document.body);
  expect(isForCanvas(canvas, document.body)).toBe(false);
});
