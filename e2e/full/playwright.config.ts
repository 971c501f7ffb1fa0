import { defineConfig } from '@playwright/test';
import daily from '../../playwright.config';

/** Tests of `npm run test:full`: they start whole installations, kill processes, or are about sizes and looks. */
export default defineConfig({
  ...daily,
  testDir: '.',
  testIgnore: [],
  // They wait for processes that start.
  timeout: 240_000,
});
