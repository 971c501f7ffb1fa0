import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { knownDatabaseUrl, rememberDatabaseUrl } from './settings/process-env';

/**
 * The address of the database in the web process. The launcher starts the web process while it prepares the database, and sends
 * the address when the tables exist. A request that needs the database before that time waits.
 *
 *   launcher ──sendDatabaseUrl()──▶ expectDatabaseUrl() in bin/web.mjs ──▶ databaseUrl() in a request
 */
const message = z.object({ kind: z.literal('database'), url: z.string() });

/** On `globalThis`, because Next has its own instance of this module. */
const holder: { callboardDatabaseUrl?: Promise<string> } = globalThis as never;

/** Tells the web process that the database is ready. */
export function sendDatabaseUrl(child: ChildProcess, url: string): void {
  if (!child.connected) return;
  // A web process that has died meanwhile is started again, and gets the address then.
  child.send({ kind: 'database', url }, () => undefined);
}

/** Waits for the address from the parent process from now on. Call it before anything is awaited, so that no message is missed. */
export function expectDatabaseUrl(): void {
  if (!process.connected) return;
  holder.callboardDatabaseUrl = new Promise((resolve) => {
    const onMessage = (value: unknown) => {
      const parsed = message.safeParse(value);
      if (!parsed.success) return;
      process.off('message', onMessage);
      rememberDatabaseUrl(parsed.data.url);
      resolve(parsed.data.url);
    };
    process.on('message', onMessage);
  });
}

/** The address as soon as the database is ready; `undefined` after `patienceMs`, and at once if no launcher will send it. */
export async function databaseUrl(patienceMs: number): Promise<string | undefined> {
  const known = knownDatabaseUrl();
  const expected = holder.callboardDatabaseUrl;
  if (known !== undefined || expected === undefined) return known;
  const timer = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([expected, late]);
  } finally {
    timer.abort();
  }
}
