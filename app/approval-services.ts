import type { ApprovalServices } from '@/components/commands/ask-approval';
import { RequestError } from '@/lib/client/ask';
import { callAction } from './call-action';
import { askCommands } from './command-actions';

/** Reads what a project starts, and asks administrators for it. Nothing that users may see is thrown. */
export function approvalServices(project: string, draft?: string): ApprovalServices {
  return {
    async readTrust() {
      try {
        const { readTrust } = await import('@/lib/client/projects');
        return { ok: true, trust: await readTrust(project, draft) };
      } catch (error) {
        if (error instanceof RequestError) return { ok: false, message: error.message };
        throw error;
      }
    },
    async askCommands(approve) {
      const asked = await callAction(() => askCommands({ project, ...(approve && { approve: [...approve] }) }));
      return asked.ok ? { ok: true, trust: asked.value } : { ok: false, message: asked.message };
    },
  };
}
