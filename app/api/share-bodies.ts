import { z } from 'zod';
import { longestShareHours, usualShareHours } from '@/lib/base/share-request';

/** What a link to a run shows, and for how long. */
export const shareBody = z.strictObject({
  hours: z
    .int('Give a whole number of hours.')
    .min(1, 'At least one hour.')
    .max(longestShareHours, `At most ${longestShareHours} hours, which are 90 days.`)
    .default(usualShareHours),
  texts: z.boolean().default(false),
});
