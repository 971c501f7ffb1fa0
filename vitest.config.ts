import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    include: ['lib/**/*.test.{ts,tsx}', 'components/**/*.test.{ts,tsx}', 'app/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Routes are tested as a signed-in caller sees them; tests of signing in take this away.
    env: { CALLBOARD_OPEN: '1' },
    globalSetup: ['lib/testing/postgres-global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Many tests wait for processes, leases and the database, so three run at once even on two cores, where the default is one.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
