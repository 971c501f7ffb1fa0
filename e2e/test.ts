import { test as base, expect } from '@playwright/test';
import { createProject, deleteProject, listProjects } from './api';
import { testAppOf } from './test-apps';
import { signedInBrowser } from './test-token';

/**
 * The `test` of all browser tests. Each worker process has an app of its own, in which the browser is signed in. The projects
 * that a test made there are deleted when the test has ended.
 */
export const test = base.extend<{ cleanUp: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  baseURL: async ({}, use, { parallelIndex }) => {
    await use(`http://127.0.0.1:${testAppOf(parallelIndex).port}`);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  storageState: async ({}, use, { parallelIndex }) => {
    await use(signedInBrowser(testAppOf(parallelIndex).port));
  },
  cleanUp: [
    async ({ baseURL }, use) => {
      const url = baseURL ?? '';
      const before = new Set(await listProjects(url));
      await use(undefined);
      for (const id of await listProjects(url)) if (!before.has(id)) await deleteProject(url, id);
    },
    { auto: true },
  ],
});

export { expect };

/**
 * Gives each test of a file a new project with exactly `files`. Call it at the top of the file. Returns the id, which is known
 * once the first test begins. A page that is left may still send a save when the next test has begun: it meets no project of
 * that test.
 */
export function freshProject(name: string, files: Record<string, string>): () => string {
  let id = '';
  test.beforeEach(async ({ baseURL }) => {
    id = await createProject(baseURL ?? '', name, files);
  });
  return () => id;
}
