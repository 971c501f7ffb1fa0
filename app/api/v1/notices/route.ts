import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { readNotices } from '@/lib/server/person-notices';

const query = z.object({
  after: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** What the person was told, newest first. */
export const GET = respond(query, async (_request, _params, actor, { after, limit }) => {
  return await readNotices(actor, { after, limit });
});
