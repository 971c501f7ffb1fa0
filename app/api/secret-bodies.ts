import { z } from 'zod';
import { brandAs, type ProjectId } from '@/lib/base/ids';

const projectIdText = z
  .string()
  .max(64)
  .transform((id) => brandAs<ProjectId>(id));

/** Without a project it is a secret of the installation. */
export const secretPlace = z
  .string()
  .max(64)
  .optional()
  .transform((id): ProjectId | null => (id === undefined ? null : brandAs<ProjectId>(id)));

/** Without a value the stored secret is tried. */
export const keyTestBody = z.strictObject({ value: z.string().optional() });

/** `hosts`: where the value may go; none for wherever its name is used. `projects`: of the installation's, those that may use it. */
export const secretBody = z.strictObject({
  value: z.string(),
  hosts: z
    .array(z.string().trim().min(1, 'Give a host, or server:NAME for one that is started.').max(300))
    .max(50, 'At most 50 places.')
    .default([]),
  projects: z.array(projectIdText).max(500, 'At most 500 projects.').default([]),
});

/** An address of one's own that is asked for its models. */
export const ownAddressBody = z.strictObject({
  project: projectIdText,
  section: z.string().min(1).max(100),
  address: z.string().trim().min(1, 'Give the address of the server.').max(2_000),
  key: z.string().min(1).max(20_000).optional(),
});
