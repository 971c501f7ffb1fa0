import * as z from 'zod/mini';

const use = z.enum(['works', 'kept', 'cannot-run']);
const note = z.object({ use, line: z.number(), message: z.string() });

/** The report of an import, as the server answers it. */
export const importReport = z.object({
  format: z.string(),
  withoutFile: z.array(z.string()),
  files: z.array(
    z.object({
      file: z.string(),
      becomes: z.enum([
        ...(['agent', 'instruction', 'servers', 'settings', 'skill', 'script'] as const),
        ...(['test', 'secrets', 'kept', 'not-read'] as const),
      ]),
      names: z.array(z.string()),
      notes: z.array(note),
      fields: z.array(z.object({ field: z.string(), line: z.number(), use, notes: z.array(note) })),
    }),
  ),
});
