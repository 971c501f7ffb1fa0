'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { projectId } from '@/app/api/project-id';
import { runId } from '@/app/api/run-id';
import { fixtureModes } from '@/lib/base/fixture-result';
import { expectations } from '@/lib/cards/fixture';
import { saveFixture, startFixtures } from '@/lib/server/fixtures';

const name = z.string().min(1).max(200);

/** Queues tests, all of them without `names`, of the draft `main` if nothing else is named. */
export const startTests = action(
  z.strictObject({
    project: z.string(),
    mode: z.enum(fixtureModes),
    names: z.array(name).max(200).optional(),
    draft: z.string().max(100).optional(),
    revision: z.number().int().min(1).optional(),
  }),
  async ({ project, draft, revision, ...input }, actor) =>
    await startFixtures(actor, projectId({ project }), { ...input, target: { draft, revision } }),
);

/** Writes a run that has ended as a test into the draft. */
export const saveTest = action(
  z.strictObject({
    project: z.string(),
    run: z.string(),
    name,
    description: z.string().max(2_000).optional(),
    expect: expectations,
  }),
  async ({ project, run, ...input }, actor) => {
    await saveFixture(actor, projectId({ project }), { ...input, run: runId({ run }) });
  },
);
