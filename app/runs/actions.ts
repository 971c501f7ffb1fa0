'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { binnedDeletions } from '@/app/api/run-bin';
import { runId } from '@/app/api/run-id';
import { readWhere } from '@/app/run-filter';
import { countRuns, deleteNow, removeRuns, restoreRuns } from '@/lib/server/run-bin';
import { forgetFilter, keepFilter, readSavedFilters } from '@/lib/server/run-lists';

/** Runs by their ids, or all that match a query and were started at `until` (epoch milliseconds) at the latest. */
const choice = z.union([
  z.strictObject({ ids: z.array(z.string()).min(1).max(5_000, 'At most 5,000 runs at once. Delete a whole filter.') }),
  z.strictObject({ query: z.string().max(20_000), until: z.number() }),
]);

function chosenBy(input: z.infer<typeof choice>) {
  if ('ids' in input) return { ids: input.ids.map((run) => runId({ run })) };
  return { where: readWhere(new URLSearchParams(input.query)), until: new Date(input.until) };
}

/** Tells how many runs are chosen, how many of them are active, and the size of their events. */
export const countChosen = action(choice, async (input, actor) => await countRuns(actor, chosenBy(input)));

/** Stops active ones and puts the others into the bin, for some seconds. The caller repeats it until nothing is left. */
export const removeChosen = action(choice, async (input, actor) => await removeRuns(actor, chosenBy(input), 'stop'));

/** Brings back what these deletions have put into the bin, for some seconds. The caller repeats it while there is more. */
export const restoreDeleted = action(binnedDeletions, async (input, actor) => await restoreRuns(actor, input));

/** Deletes for good what these deletions have put into the bin, for some seconds. The caller repeats it while there is more. */
export const deleteBinned = action(binnedDeletions, async (input, actor) => await deleteNow(actor, input));

const name = z
  .string()
  .trim()
  .min(1, 'Give the filter a name.')
  .max(60, 'At most 60 characters.')
  .regex(/^\P{Cc}*$/u, 'No control characters.');

/** Saves a filter under a name and returns all saved filters. A filter with this name is replaced. */
export const saveFilter = action(z.strictObject({ name, query: z.string().max(20_000) }), async (input, actor) => {
  readWhere(new URLSearchParams(input.query));
  await keepFilter(actor, input);
  return await readSavedFilters(actor);
});

/** Deletes a saved filter and returns the others. */
export const deleteFilter = action(z.strictObject({ name: z.string() }), async (input, actor) => {
  await forgetFilter(actor, input.name);
  return await readSavedFilters(actor);
});
