import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const tests = '**/*.test.{ts,tsx}';
const pure = [
  `lib/{base,cards,client,editor,fixtures,graph,interop,models,runtime,trace}/${tests}`,
  'components/**/*.test.ts',
];
/** What people see and press, in a DOM without layout. What needs a layout is tested on the stage. */
const inDom = ['components/**/*.test.tsx'];
const real = [`lib/${tests}`, `app/${tests}`];
const slow = '**/*.full.test.ts';
/** The files that do not share a process with others, each with what it does to the process. */
const ownProcess: Readonly<Record<string, string>> = {
  'app/action.test.ts': 'replaces the module next/headers',
  'app/p/\\[project\\]/no-loss.test.ts': 'replaces the module next/headers',
  'app/error.test.ts': 'replaces the module of the page of errors',
  'app/every-*.test.ts': 'replace the module that tells who asks',
  'lib/jobs/system-clock.test.ts': 'loads the module of the clock again',
  'lib/sandbox/js/spare-thread.test.ts': 'counts on a process without a thread',
  'lib/runtime/model/ask.test.ts': 'replaces the module of the loop of a run',
};
const withOwnProcess = Object.keys(ownProcess);
/** What the tests of a file with services, processes or a database need. */
const realParts = {
  globalSetup: ['lib/testing/postgres-global-setup.ts'],
  setupFiles: ['lib/testing/between-files.ts'],
};

/** Slow tests of scale and of failing machines. They run only when asked for: `vitest run --project full`, or a file by its name. */
const full = {
  extends: true as const,
  test: { name: 'full', include: [slow], testTimeout: 120_000, hookTimeout: 120_000, ...realParts },
};

/** Properties with all their tries, of which the other projects run a quarter (`lib/testing/tries.ts`). They run only when asked for, too. */
const properties = () => ({
  extends: true as const,
  test: {
    name: 'full properties',
    include: ['app', 'components', 'lib'].flatMap(filesWithTries),
    env: { CALLBOARD_TEST_TRIES: 'all' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    ...realParts,
  },
});

function filesWithTries(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, ...file.split(path.sep)))
    .filter((file) => /\.test\.tsx?$/.test(file) && readFileSync(file, 'utf8').includes("testing/tries'"))
    .map((file) => file.replace(/[[\]]/g, '\\$&'));
}

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    // Routes are tested as a signed-in caller sees them; tests of signing in take this away.
    env: { CALLBOARD_OPEN: '1' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A test that fails once is a bug of the product or of the test.
    retry: 0,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    // Many tests wait for processes, leases and the database, so three run at once even on two cores, where the default is one.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Vitest starts the projects in the order of their names: first the files that take longest each.
    projects: [
      {
        extends: true,
        // These modules keep nothing, so a process goes on to the next file with the modules that it has loaded. This halves their time.
        test: { name: 'pure', include: pure, exclude: [slow, ...withOwnProcess], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: inDom,
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['components/testing/dom.ts'],
        },
      },
      { extends: true, test: { name: 'own process', include: withOwnProcess, ...realParts } },
      {
        extends: true,
        // A process goes on to the next file here too. What a file changes of it is put back by the setup file.
        test: {
          name: 'real parts',
          include: real,
          exclude: [slow, ...pure, ...withOwnProcess],
          isolate: false,
          ...realParts,
        },
      },
      ...(process.argv.some((word) => word.includes('full')) ? [full, properties()] : []),
    ],
  },
});
