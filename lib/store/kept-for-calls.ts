import { z } from 'zod';
import type { RunId, StepKey } from '@/lib/base/ids';
import { type Json, parseJson } from '@/lib/base/json';
import type { Store } from './database';

/** Reads what is kept for a call of a run. */
export async function readKept(store: Store, run: RunId, step: StepKey): Promise<Json | undefined> {
  const { rows } = await store.pool.query('SELECT value FROM "KeptForCall" WHERE "runId" = $1 AND step = $2', [
    run,
    step,
  ]);
  const [found] = z.array(z.object({ value: z.string() })).parse(rows);
  return found && parseJson(found.value);
}

/** Replaces what is kept for a call, or removes it. */
export async function writeKept(store: Store, run: RunId, step: StepKey, value: Json | undefined): Promise<void> {
  if (value === undefined) {
    await store.pool.query('DELETE FROM "KeptForCall" WHERE "runId" = $1 AND step = $2', [run, step]);
    return;
  }
  await store.pool.query(
    `INSERT INTO "KeptForCall" ("runId", step, value) VALUES ($1, $2, $3)
     ON CONFLICT ("runId", step) DO UPDATE SET value = EXCLUDED.value`,
    // JSON escapes what the database does not accept in a text.
    [run, step, JSON.stringify(value)],
  );
}

/** Removes what is kept for all calls of a run, and returns it. */
export async function takeKept(store: Store, run: RunId): Promise<readonly Json[]> {
  const { rows } = await store.pool.query('DELETE FROM "KeptForCall" WHERE "runId" = $1 RETURNING value', [run]);
  const found = z.array(z.object({ value: z.string() })).parse(rows);
  return found.flatMap(({ value }) => parseJson(value) ?? []);
}
