import type { ProjectId } from '@/lib/base/ids';
import type { ListedTools } from '@/lib/base/known-servers';
import { own } from '@/lib/base/own';
import { printChanges } from '@/lib/base/print-changes';
import type { ClosurePart } from '@/lib/cards/closure';
import type { Store } from '@/lib/store/database';
import { findRevision, readClosure, readListed } from '@/lib/store/revisions';
import { snapshotOf } from './snapshots';

/**
 * Says of each server of a revision that lists something else now what changed. An approval of the revision was given for what was listed
 * when the revision was saved. Throws AppError `not_found`.
 */
export async function listedSince(store: Store, project: ProjectId, number: number): Promise<readonly string[]> {
  const { treeHash } = await findRevision(store, project, number);
  const [{ parts }, listed, now] = await Promise.all([
    readClosure(store, project, number),
    readListed(store, project, number),
    snapshotOf(store, project, treeHash),
  ]);
  const [old, current] = [offersIn(parts), offersIn(now.closure.parts)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .filter((server) => old.get(server) !== current.get(server))
    .map((server) => {
      const what = changeWords(server, listed, now.listed);
      const since = `since revision ${number} was saved`;
      const next = 'so its approvals count no longer. Add a version and ask for approvals of that.';
      return `${what.subject} of the server '${server}' changed ${since}${what.words}, ${next}`;
    });
}

function offersIn(parts: readonly ClosurePart[]): ReadonlyMap<string, string> {
  return new Map(parts.flatMap(([kind, name, hash]) => (kind === 'server' ? [[name, hash] as const] : [])));
}

/** What is hashed besides tools are resources and prompts. Of old revisions only the hash is known. */
function changeWords(server: string, listed: ListedTools | undefined, now: ListedTools) {
  if (listed === undefined) return { subject: 'The tools, resources or prompts', words: '' };
  const words = printChanges(own(listed, server) ?? {}, own(now, server) ?? {});
  return words === ''
    ? { subject: 'The resources or prompts', words: '' }
    : { subject: 'The tools', words: ` (${words})` };
}
