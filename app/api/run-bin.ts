import { z } from 'zod';
import type { Binned } from '@/lib/server/run-bin';

const id = z.string().regex(/^[\w-]{1,64}$/, 'This is no id.');
const ids = z.array(id).min(1, 'Give at least one.').max(1_000, 'At most 1,000 at once.');

/** Names runs of the bin: by their ids, or by deletions. */
export const binnedBody = z
  .strictObject({ runs: ids.optional(), deletions: ids.optional() })
  .transform(({ runs, deletions }, context): Binned => {
    if (runs !== undefined && deletions === undefined) return { runs };
    if (deletions !== undefined && runs === undefined) return { deletions };
    context.addIssue(oneOf('runs', 'deletions'));
    return z.NEVER;
  });

/** Names one run of the bin, or one deletion. */
export const binnedQuery = z
  .object({ run: id.optional(), deletion: id.optional() })
  .refine(({ run, deletion }) => (run === undefined) !== (deletion === undefined), oneOf('run', 'deletion'));

/** Names deletions whose runs are in the bin. */
export const binnedDeletions = z.strictObject({ deletions: ids });

function oneOf(runs: string, deletions: string): string {
  return `Give either "${runs}", ids of runs, or "${deletions}", what the deletion of a filter answered as "deletion".`;
}
