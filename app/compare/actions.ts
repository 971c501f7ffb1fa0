'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { runId } from '@/app/api/run-id';
import { startOnSameInput } from '@/lib/server/compare-runs';

/** Starts a run on the input of the run `of`, with the project's files now, or with those of the run `files`. */
export const startBeside = action(
  z.strictObject({ of: z.string(), files: z.optional(z.string()) }),
  async ({ of, files }, actor) =>
    await startOnSameInput(actor, runId({ run: of }), files === undefined ? 'draft' : runId({ run: files })),
);
