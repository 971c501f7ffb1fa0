import { z } from 'zod';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { readNotices } from '@/lib/server/person-notices';

const query = z.object({
  after: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** What the person was told, newest first. */
export const GET = respond(async (request, _params, actor) => {
  const { after, limit } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return await readNotices(actor, { after, limit });
});
