'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { decisionBody } from '@/app/api/command-bodies';
import { decideCommand, readCommandFile } from '@/lib/server/commands';

/** Approves, denies or revokes a command, and returns it. */
export const decide = action(decisionBody.extend({ id: z.string() }), async ({ id, ...decision }, actor) => {
  return await decideCommand(actor, id, decision);
});

/** Returns the text of a file that a command may load. */
export const readFile = action(z.strictObject({ id: z.string(), path: z.string() }), async ({ id, path }, actor) => {
  return await readCommandFile(actor, id, path);
});
