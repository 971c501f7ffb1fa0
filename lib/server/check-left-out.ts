import { AppError } from '@/lib/base/app-error';
import type { TreeHash } from '@/lib/base/ids';
import { isSameLeftOut, type LeftOut } from '@/lib/base/left-out';
import { withoutLeftOut } from '@/lib/cards/project/without-left-out';
import type { Store } from '@/lib/store/database';
import { readTree } from '@/lib/store/trees';
import { webReader } from './reading/web-reader';

/**
 * Throws AppError `bad_request` if a run cannot do without something. The worker checks it too. Files that cannot be read are left to the
 * worker, whose error tells the place. `old` is the run whose record this one begins with.
 */
export async function checkLeftOut(
  store: Store,
  asked: {
    readonly leftOut: readonly LeftOut[];
    readonly treeHash: TreeHash;
    readonly agent: string | undefined;
    readonly old: { readonly leftOut: readonly LeftOut[] } | undefined;
  },
): Promise<void> {
  const { leftOut, treeHash, agent, old } = asked;
  if (old !== undefined && !isSameLeftOut(leftOut, old.leftOut)) {
    const why = 'A run that begins with the record of another one does without the same things as that run.';
    throw new AppError('bad_request', `leftOut: ${why} Take the list out of the request.`);
  }
  if (leftOut.length === 0) return;
  const read = await webReader().readForRun(await readTree(store.prisma, treeHash));
  if (!read.ok) return;
  const rest = withoutLeftOut(read.value.parsed, leftOut, agent);
  if (!rest.ok) throw new AppError('bad_request', rest.error);
}
