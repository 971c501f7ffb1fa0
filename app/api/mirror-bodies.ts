import { z } from 'zod';

/** The schema of a mirror (docs/http-api.md). Server actions take the same body. */
export const mirrorBody = z.strictObject({
  url: z.string().max(2_000),
  user: z.string().max(100).default('git'),
  secret: z.string().max(100),
});
