import { afterAll, vi } from 'vitest';
import type { Services } from '@/lib/server/services';

/*
 * Test files of one process run one after the other and share its modules. This setup file runs at the start of each of them.
 * At its end, what it changed of the process is put back, so that the next file finds the process as the first one did:
 *
 *   variables, working folder, clock      as at the start of the file
 *   stubs and fake timers of vitest       removed
 *   what the app keeps on `globalThis`    closed and forgotten, but for what does not depend on the file (`lasting`)
 */

/** Threads that read folders, and the migration engine. They are slow to start, and keep nothing between two questions. */
const lasting: ReadonlySet<string> = new Set(['callboardReader', 'callboardSchemaEngine']);

const variables = { ...process.env };
const folder = process.cwd();
const readClock = Date.now;
const holder: Record<string, unknown> & { callboardServices?: Promise<Services> } = globalThis as never;

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  Date.now = readClock;
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
  await closeServices();
  for (const name of Object.keys(holder)) if (name.startsWith('callboard') && !lasting.has(name)) delete holder[name];
});

async function closeServices(): Promise<void> {
  const services = await holder.callboardServices?.catch(() => undefined);
  if (services === undefined) return;
  await services.runEvents.close();
  // A database that the file has taken away cannot be closed in order.
  await services.store.close().catch(() => undefined);
}
