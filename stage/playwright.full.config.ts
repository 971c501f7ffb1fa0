import { defineConfig } from '@playwright/test';
import daily from './playwright.config';

const narrow = daily.projects?.find(({ name }) => name === 'narrow');

/** Screens on a phone, of `npm run test:full`: every scene, and forms that `npm test` fills on a desktop. */
export default defineConfig({
  ...daily,
  projects: [
    {
      ...narrow,
      grep: /./,
      grepInvert: /@phone/,
      testMatch:
        /(scenes|editor\/(forms|inspector|save|surface|workflow-forms)|tests\/inbox|run\/(decisions|page|scores))\.spec\.ts/,
    },
  ],
});
