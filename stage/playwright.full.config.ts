import { defineConfig } from '@playwright/test';
import daily from './playwright.config';

const [wide, narrow] = daily.projects ?? [];

/**
 * Tests of `npm run test:full`: those with the tag `@full`, and on a phone those with the tag `@phone-full` and the other tests of forms and of the page of
 * a run, which `npm test` runs in a wide window.
 */
export default defineConfig({
  ...daily,
  grepInvert: [],
  projects: [
    { ...wide, grep: /@full/ },
    { ...narrow, grep: /@phone-full/ },
    {
      ...narrow,
      name: 'narrow, too',
      grep: /./,
      grepInvert: /@phone/,
      testMatch:
        /(editor\/(forms|inspector|save|surface|workflow-forms)|tests\/inbox|run\/(decisions|page|scores))\.spec\.ts/,
    },
  ],
});
