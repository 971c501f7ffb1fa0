import { z } from 'zod';
import type { Presence } from '@/lib/base/presence';

/** Names of nodes, edges, fields and files; whatever is longer is cut by the editor. */
const name = z
  .string()
  .min(1)
  .max(600, 'At most 600 characters.')
  .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'Leave out control characters.');

export const windowId = z.string().regex(/^[\w-]{1,40}$/, "Give an id of letters, digits, '_' and '-'.");
export const draftName = name.max(60);

/** Where a window is. */
export const presenceBody: z.ZodType<Presence> = z.strictObject({
  window: windowId,
  draft: draftName,
  place: z.strictObject({
    page: z.enum(['editor', 'review']),
    selected: z.array(name).max(20, 'At most 20.'),
    file: name.optional(),
    editing: name.optional(),
    taken: z.boolean().optional(),
  }),
});
