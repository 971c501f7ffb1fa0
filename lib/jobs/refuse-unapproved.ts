import type { ProjectId } from '@/lib/base/ids';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import { unapprovedSentence } from '@/lib/cards/trust/unapproved';
import type { RunError } from '@/lib/runtime/record/events';
import { findUnapproved, noteCommandUses } from '@/lib/store/commands';
import type { RunContext } from './run-context';

/**
 * Returns the reason why a worker must not start the processes of a folder, or `undefined` if it may. Where accounts are on, an
 * administrator has to approve each. Every attempt asks the database, so the rule also holds for runs that were queued or suspended
 * before an approval was revoked.
 */
export async function refuseUnapproved(
  { store, accounts }: Pick<RunContext, 'store' | 'accounts'>,
  project: ProjectId,
  { commands }: Pick<CapabilityList, 'commands'>,
): Promise<RunError | undefined> {
  if (!accounts || commands.length === 0) return undefined;
  const missing = await findUnapproved(store, project, commands);
  if (missing.length > 0) return { code: 'not_approved', message: unapprovedSentence(missing) };
  await noteCommandUses(store, project, commands);
  return undefined;
}
