import * as z from 'zod/mini';
import { getJson } from './ask-shape';

const page = z.object({
  notices: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      project: z.optional(z.string()),
      projectName: z.optional(z.string()),
      words: z.string(),
      href: z.string().check(z.startsWith('/')),
      at: z.number(),
      isRead: z.boolean(),
    }),
  ),
  next: z.optional(z.string()),
});
export type ShownNotices = z.infer<typeof page>;

/** Reads a page of notices, newest first. Rejects with a `RequestError`. */
export async function listNotices(after: string | undefined, signal?: AbortSignal): Promise<ShownNotices> {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  return await getJson(`/api/v1/notices${query}`, page, signal);
}
