import { beforeEach, expect, it } from 'vitest';
import { themeScript } from './theme-script';

/** Does what a browser does with the head of a page. */
function load(): string | undefined {
  delete document.documentElement.dataset.theme;
  new Function(themeScript)();
  return document.documentElement.dataset.theme;
}

beforeEach(() => {
  window.matchMedia ??= () => ({ matches: false }) as MediaQueryList;
  localStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: as the script does.
  document.cookie = 'callboard_theme=; path=/; max-age=0';
});

it('a theme outlives signing out, which clears the storage and no cookies', () => {
  localStorage.setItem('callboard.theme', 'dark');
  expect(load()).toBe('dark');
  localStorage.clear();
  expect(load()).toBe('dark');
  expect(localStorage.getItem('callboard.theme')).toBe('dark');
});

it('without a choice the system decides, also after the choice was taken back', () => {
  expect(load()).toBe('light');
  localStorage.setItem('callboard.theme', 'dark');
  load();
  localStorage.setItem('callboard.theme', 'system');
  expect(load()).toBe('light');
  localStorage.clear();
  expect(load()).toBe('light');
  expect(localStorage.getItem('callboard.theme')).toBeNull();
});
