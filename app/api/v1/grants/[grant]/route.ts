import { respond } from '@/app/api/respond';
import { revokeGrant } from '@/lib/server/pending';

/** Forgets a remembered approval: equal calls are asked for again. */
export const DELETE = respond<{ readonly grant: string }>(async (_request, { grant }, actor) => {
  await revokeGrant(actor, grant);
  return new Response(null, { status: 204 });
});
