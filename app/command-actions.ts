'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { askBody } from '@/app/api/command-bodies';
import { projectId } from '@/app/api/project-id';
import { approveCommands, askForCommands } from '@/lib/server/commands';
import { readTrust } from '@/lib/server/trust';

/** Asks administrators to approve what the project starts. With `approve` an administrator approves it. */
export const askCommands = action(
  askBody.extend({ project: z.string() }),
  async ({ project, approve, ...target }, actor) => {
    const id = projectId({ project });
    if (approve === undefined) await askForCommands(actor, id, target);
    else await approveCommands(actor, id, approve, target);
    const { confirmedAt, ...trust } = await readTrust(actor, id, target);
    return { ...trust, confirmedAt: confirmedAt?.toISOString() };
  },
);
