import { respond } from '@/app/api/respond';
import { readUnread } from '@/lib/server/person-notices';

/** How much of it the person has not read, up to 100. */
export const GET = respond(async (_request, _params, actor) => ({ unread: await readUnread(actor) }));
