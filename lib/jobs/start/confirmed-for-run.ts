import { AppError } from '@/lib/base/app-error';
import { type CapabilityList, isConfirmed } from '@/lib/cards/trust/capability';
import { unapprovedSentence } from '@/lib/cards/trust/unapproved';
import { boundCommands } from '@/lib/store/bound-commands';
import { findUnapproved } from '@/lib/store/commands';
import type { Store } from '@/lib/store/database';
import type { ProjectRow } from '@/lib/store/projects';
import { findConfirmedLists, needsConfirmation } from '@/lib/store/trust';

/** What decides whether a run may be queued. */
export interface StartRules {
  readonly store: Store;
  /** True if people have accounts. Then an administrator approves what runs start. */
  readonly accounts: boolean;
  /** Lists what runs of a folder would start or call. Throws AppError `too_large` for a folder that cannot be read in time. */
  readonly list: (row: Pick<ProjectRow, 'treeHash'>) => Promise<CapabilityList>;
}

/**
 * Returns the hash of the confirmed list for a new run, or `undefined` if nothing needs a confirmation. Throws AppError `not_trusted` with
 * the hash to confirm, and `not_approved` with the hash of the files if an administrator first has to approve what they start.
 */
export async function confirmedForRun(rules: StartRules, row: ProjectRow): Promise<string | undefined> {
  const confirmed = await confirmedHash(rules, row);
  if (rules.accounts) {
    const { commands } = await rules.list(row);
    const missing = await findUnapproved(rules.store, await boundCommands(rules.store, row.id, commands));
    if (missing.length > 0) {
      throw new AppError('not_approved', unapprovedSentence(missing.map(({ command }) => command)), {
        files: row.treeHash,
      });
    }
  }
  return confirmed;
}

async function confirmedHash({ store, list }: StartRules, row: ProjectRow): Promise<string | undefined> {
  if (!needsConfirmation(row.origin)) return undefined;
  const listed = await list(row);
  if (listed.items.length === 0) return undefined;
  const confirmed = (await findConfirmedLists(store, row.id)).map(({ items }) => items);
  if (isConfirmed(listed, confirmed)) return listed.hash;
  throw new AppError('not_trusted', notTrusted(listed), { hash: listed.hash });
}

function notTrusted({ items }: CapabilityList): string {
  const things = items.length === 1 ? 'one thing' : `${items.length} things`;
  return (
    `Nobody has confirmed yet what this folder would start or call: ${things}. ` +
    'Nothing was started. Open the project, press Run and read the list, or confirm its hash over the API.'
  );
}
