import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { previewRecord } from '@/lib/server/run-again';

const query = z.object({ at: z.coerce.number('The number of an event.').int().min(1) });

/** Tells what a run from an event would take from the record of this one. */
export const GET = respond<RunParams>(async (request, params) => {
  const { at } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return await previewRecord(runId(params), at);
});
