import { z } from 'zod';
import { personGroups } from '@/lib/base/notices';

/** The schemas of what is sent about notices (docs/http-api.md). Server actions take the same bodies. */
export const readNoticesBody = z.strictObject({
  ids: z.union([z.literal('all'), z.array(z.string().regex(/^[\w-]{1,100}$/, 'Give ids of notices.')).max(500)]),
});
export const noticeChoiceBody = z.strictObject({ group: z.enum(personGroups), inApp: z.boolean(), mail: z.boolean() });

const usd = z.number().max(1_000_000);
const seconds = z.number().int().max(31_536_000);
export const noticeLine = { usd: usd.optional(), seconds: seconds.optional() };
/** Null is no line. */
export const noticeLineBody = z.strictObject({ usd: usd.nullable(), seconds: seconds.nullable() });
