import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settingsPageAt, settingsPageIds, settingsPages, settingsSectionHref } from './settings-pages';

test('each page has its route, and its address leads back to it', () => {
  expect(settingsPages.map(({ id }) => id)).toEqual(settingsPageIds);
  for (const page of settingsPages) {
    expect([page.id, existsSync(path.join('app', page.href, 'page.tsx'))]).toEqual([page.id, true]);
    expect(settingsPageAt(page.href)).toBe(page);
  }
  expect(settingsPageAt('/settings/none')).toBeUndefined();
});

test('sections of the one long page lead to their pages', () => {
  const fragments = ['#limits', '#secrets', '#notifications', '', '#keys', '#how'];
  expect(fragments.map(settingsSectionHref)).toEqual([
    '/settings/limits',
    '/settings/secrets',
    '/settings/notifications',
    undefined,
    undefined,
    undefined,
  ]);
});
