import { respond } from '@/app/api/respond';
import { findEntries } from '@/app/audit-query';

/** A page of the audit log, newest first. */
export const GET = respond(async (request, _params, actor) => {
  return await findEntries(actor, Object.fromEntries(new URL(request.url).searchParams));
});
