import { pendingQuery } from '@/app/api/pending-bodies';
import { respond } from '@/app/api/respond';
import { findPending } from '@/app/pending-query';

/** A page of the questions of runs to people. By default those that are open, which wait longest first. */
export const GET = respond(pendingQuery, async (_request, _params, actor, asked) => await findPending(actor, asked));
