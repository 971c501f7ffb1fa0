import { respond } from '@/app/api/respond';
import { findPending } from '@/app/pending-query';

/** A page of the questions of runs to people. By default those that are open, which wait longest first. */
export const GET = respond(
  async (request, _params, actor) => await findPending(actor, new URL(request.url).searchParams),
);
