'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { runId } from '@/app/api/run-id';
import { stopRun } from '@/lib/server/runs';

/** Asks for a stop and does not wait for it. The run ends `cancelled` within seconds. */
export const stop = action(z.strictObject({ run: z.string() }), async (input) => {
  await stopRun(runId(input));
});
