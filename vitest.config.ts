import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const tests = '**/*.test.{ts,tsx}';
const pure = [
  `lib/{base,cards,client,editor,fixtures,graph,interop,models,runtime,trace}/${tests}`,
  'components/**/*.test.ts',
];
/** What people see and press, in a DOM without layout. What needs a layout is tested on the stage. */
const inDom = ['components/**/*.test.tsx'];
/** A test that replaces a module needs a process of its own. */
const replacing = 'lib/runtime/model/ask.test.ts';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    // Routes are tested as a signed-in caller sees them; tests of signing in take this away.
    env: { CALLBOARD_OPEN: '1' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine that tests for others is busy at times. Elsewhere nothing is tried again.
    retry: process.env.CI === undefined ? 0 : 1,
    // Many tests wait for processes, leases and the database, so three run at once even on two cores, where the default is one.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        // These modules keep nothing, so a process goes on to the next file with the modules that it has loaded. This halves their time.
        test: { name: 'pure', include: pure, exclude: [replacing], isolate: false },
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
      { extends: true, test: { name: 'replaced modules', include: [replacing] } },
      {
        extends: true,
        test: {
          name: 'real parts',
          include: [`lib/${tests}`, `app/${tests}`],
          exclude: pure,
          globalSetup: ['lib/testing/postgres-global-setup.ts'],
        },
      },
    ],
  },
});
