import { respond } from '@/app/api/respond';
import { findEntries } from '@/app/audit-query';

/** A page of the audit log, newest first. */
export const GET = respond(async (request) => {
  return await findEntries(Object.fromEntries(new URL(request.url).searchParams));
});
