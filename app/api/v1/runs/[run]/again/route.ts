import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { previewInstance, previewRecord } from '@/lib/server/run-again';

const files = z.enum(['recorded', 'draft']).default('recorded');
const query = z.union([
  z.strictObject({ instance: z.string().min(1).max(10_000), files }),
  z.strictObject({ at: z.coerce.number('The number of an event.').int().min(1), files }),
]);

/**
 * Tells what a run from an event would take from the record of this one, or what an instance was called with and called, and
 * whether the chosen files match.
 */
export const GET = respond(query, async (_request, params: RunParams, actor, asked) => {
  const id = runId(params);
  return 'at' in asked
    ? await previewRecord(actor, id, asked.at, asked.files)
    : await previewInstance(actor, id, asked.instance, asked.files);
});
