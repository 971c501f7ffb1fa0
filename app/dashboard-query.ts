import { z } from 'zod';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { dashboardGroups } from '@/lib/trace/dashboard';

/** Which figures a dashboard shows, as the address of the page and the HTTP API have it. */
export const dashboardQuery = z.object({
  range: z.enum(['24h', '7d', '30d', '90d'], 'One of 24h, 7d, 30d, 90d.').default('7d'),
  by: z.enum(dashboardGroups, `One of ${dashboardGroups.join(', ')}.`).default('agent'),
  project: z
    .string()
    .max(200)
    .optional()
    .transform((id) => (id ? brandAs<ProjectId>(id) : undefined)),
});
