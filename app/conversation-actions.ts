'use server';

import { z } from 'zod';
import { action } from '@/app/action';
import { runBody, runInput } from '@/app/api/project-bodies';
import { projectId } from '@/app/api/project-id';
import { deleteConversation as remove } from '@/lib/server/conversations';
import { startRun } from '@/lib/server/runs';

const project = z.string();

/**
 * Sends a message to a conversation, or begins one with `conversationId: 'new'`, and returns the ids of the run and of the
 * conversation without waiting for the run. `not_trusted` means that a person must confirm first.
 */
export const sendMessage = action(
  runBody.omit({ again: true }).extend({ project }),
  async ({ project, ...input }, actor) => {
    return await startRun(actor, projectId({ project }), runInput(input));
  },
);

/** Deletes a conversation. Its runs stay. `conflict` means that one of them is active. */
export const deleteConversation = action(
  z.strictObject({ project, conversation: z.string().max(200) }),
  async ({ project, conversation }, actor) => {
    await remove(actor, projectId({ project }), conversation);
  },
);
