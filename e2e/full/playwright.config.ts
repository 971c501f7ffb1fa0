import { defineConfig } from '@playwright/test';
import daily from '../../playwright.config';

const [wide, narrow] = daily.projects ?? [];

/**
 * Tests of `npm run test:full`. Those of this folder start whole installations, kill processes, or are about sizes and looks. Those of the folder
 * above have a tag: `@full`, or `@phone-full` for a phone.
 */
export default defineConfig({
  ...daily,
  testDir: '..',
  testIgnore: [],
  grepInvert: [],
  // They wait for processes that start.
  timeout: 240_000,
  projects: [
    { ...wide, name: 'full', testDir: '.' },
    { ...wide, testIgnore: daily.testIgnore, grep: /@full/ },
    { ...narrow, testIgnore: daily.testIgnore, grep: /@phone-full/ },
  ],
});
