import { test as base, expect } from '@playwright/test';
import { createProject, deleteProject, listProjects, writeFiles } from './api';

/** The `test` of all browser tests. It deletes the projects that a test made in the shared app when the test has ended. */
export const test = base.extend<{ cleanUp: undefined }>({
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
 * Makes one project for all tests of a file. Call it at the top of the file. Each test finds the project saved with exactly
 * `files`. Returns the id, which is known once the first test begins.
 */
export function sharedProject(name: string, files: Record<string, string>): () => string {
  let id = '';
  test.beforeAll(async ({ baseURL }) => {
    id = await createProject(baseURL ?? '', name, files);
  });
  test.beforeEach(async ({ baseURL }) => {
    await writeFiles(baseURL ?? '', id, files);
  });
  test.afterAll(async ({ baseURL }) => {
    await deleteProject(baseURL ?? '', id);
  });
  return () => id;
}
