import type { ProjectId } from '@/lib/base/ids';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import { unapprovedSentence } from '@/lib/cards/trust/unapproved';
import type { RunError } from '@/lib/runtime/record/events';
import { bindCommands } from '@/lib/store/bound-commands';
import { findUnapproved, noteCommandUses } from '@/lib/store/commands';
import type { UsableSecret } from '@/lib/store/secrets';
import type { RunContext } from './run-context';

/**
 * Returns the reason why a worker must not start the processes of a folder, or `undefined` if it may. Where accounts are on, an
 * administrator has to approve each. Every attempt asks the database, so the rule also holds for runs that were queued or suspended
 * before an approval was revoked. `secrets` are those that the processes will get, not read again later, so that nobody sets another value
 * in between.
 */
export async function refuseUnapproved(
  { store, accounts }: Pick<RunContext, 'store' | 'accounts'>,
  project: ProjectId,
  { commands }: Pick<CapabilityList, 'commands'>,
  secrets: readonly UsableSecret[],
): Promise<RunError | undefined> {
  if (!accounts || commands.length === 0) return undefined;
  const bound = bindCommands(project, commands, secrets);
  const missing = await findUnapproved(store, bound);
  if (missing.length > 0) {
    return { code: 'not_approved', message: unapprovedSentence(missing.map(({ command }) => command)) };
  }
  await noteCommandUses(store, project, bound);
  return undefined;
}
