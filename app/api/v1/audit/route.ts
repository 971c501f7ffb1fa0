import { respond } from '@/app/api/respond';
import { auditQuery, findEntries } from '@/app/audit-query';

/** A page of the audit log, newest first. */
export const GET = respond(auditQuery, async (_request, _params, actor, asked) => await findEntries(actor, asked));
