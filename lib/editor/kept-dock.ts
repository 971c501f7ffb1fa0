import { z } from 'zod';
import { leftOutList } from '@/lib/base/left-out-list';

/** What the dock of a project shows, kept while this window is on other pages and over a reload. It has no secrets. */
export const keptDock = z.object({
  message: z.string(),
  agent: z.string().optional(),
  model: z.string(),
  leftOut: leftOutList.optional(),
  /** The run that is shown. */
  runId: z.string().optional(),
  conversation: z.string().optional(),
  /** The run whose repetition was asked for when the dock was opened. */
  again: z.string().optional(),
  tab: z.enum(['run', 'problems', 'files']),
  /** True if a phone shows the dock. */
  isShown: z.boolean(),
});

export type KeptDock = z.infer<typeof keptDock>;
