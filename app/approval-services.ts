import type { ApprovalServices, StartFault } from '@/components/commands/ask-approval';
import { RequestError } from '@/lib/client/ask';
import type { ActionResult } from './action';
import { callAction } from './call-action';
import { askCommands } from './command-actions';

/**
 * Reads what a draft starts, `main` by default, or the files of a refused start, and asks administrators for it. Nothing that users may
 * see is thrown.
 */
export function approvalServices(project: string, draft?: string): ApprovalServices {
  return {
    async readTrust(files) {
      try {
        const { readTrust } = await import('@/lib/client/projects');
        return { ok: true, trust: await readTrust(project, draft, files) };
      } catch (error) {
        if (error instanceof RequestError) return { ok: false, message: error.message };
        throw error;
      }
    },
    async askCommands(approve, files) {
      const which = files === undefined ? { draft } : { files };
      const asked = await callAction(() =>
        askCommands({ project, ...which, ...(approve && { approve: [...approve] }) }),
      );
      return asked.ok ? { ok: true, trust: asked.value } : { ok: false, message: asked.message };
    },
  };
}

/** Says why an action did not start a run, and which files need an approval. */
export function startFault({ code, message, details }: Refusal): StartFault {
  return { message, isUnapproved: code === 'not_approved', files: details?.files };
}

type Refusal = Extract<ActionResult<unknown>, { readonly ok: false }>;
