import type { FetchRequest } from './fetch-request';
import type { GitHash } from './git-object';
import { pktLine } from './pkt-line';

/** The commits of a repository, by hash, with their parents. */
export type Ancestry = ReadonlyMap<GitHash, { readonly parents: readonly GitHash[] }>;

export interface Negotiated {
  /** The lines to answer before the pack. */
  readonly lines: readonly Uint8Array[];
  /** What both have, if a pack follows. */
  readonly common: readonly GitHash[] | undefined;
}

/**
 * Answers what the client has, as git's upload-pack does with `multi_ack_detailed`: each common commit is acknowledged, and `ready` says
 * that every wanted commit has a common ancestor, so that the client can stop asking.
 */
export function negotiate(request: FetchRequest, commits: Ancestry): Negotiated {
  const isDetailed = request.abilities.has('multi_ack_detailed');
  const endsEarly = isDetailed && request.abilities.has('no-done');
  const lines: Uint8Array[] = [];
  const common: GitHash[] = [];
  const acknowledge = (hash: GitHash, word: string) => lines.push(pktLine(`ACK ${hash}${word}\n`));
  const canGiveUp = () => common.length > 0 && reachesEach(request.wants, common, commits);

  for (const [at, round] of request.rounds.entries()) {
    const isLast = request.isDone && at === request.rounds.length - 1;
    let found = false;
    let isReady = false;
    for (const have of round) {
      if (commits.has(have)) {
        common.push(have);
        found = true;
        if (isDetailed) acknowledge(have, ' common');
        else if (common.length === 1) acknowledge(have, '');
      } else if (isDetailed && canGiveUp()) {
        isReady = true;
        acknowledge(have, ' ready');
      }
    }
    if (isLast) break;
    const last = common.at(-1);
    if (isDetailed && found && !isReady && last !== undefined && canGiveUp()) {
      isReady = true;
      acknowledge(last, ' ready');
    }
    if (common.length === 0 || isDetailed) lines.push(pktLine('NAK\n'));
    if (endsEarly && isReady && last !== undefined) {
      acknowledge(last, '');
      return { lines, common };
    }
  }
  // A client that has nothing sends no list before its `done`.
  if (!request.isDone) return { lines, common: undefined };
  const last = common.at(-1);
  if (last === undefined) lines.push(pktLine('NAK\n'));
  else if (isDetailed) acknowledge(last, '');
  return { lines, common };
}

/** True if each of `wants` is one of `common`, or has one among its ancestors. */
function reachesEach(wants: readonly GitHash[], common: readonly GitHash[], commits: Ancestry): boolean {
  const known = new Set(common);
  return wants.every((want) => {
    for (const hash of ancestorsOf([want], commits)) if (known.has(hash)) return true;
    return false;
  });
}

/** Returns the commits and all their ancestors, nearest first. Commits that are not known are left out. */
export function ancestorsOf(from: readonly GitHash[], commits: Ancestry): ReadonlySet<GitHash> {
  const found = new Set<GitHash>();
  const queue = [...from];
  for (const hash of queue) {
    const commit = commits.get(hash);
    if (commit === undefined || found.has(hash)) continue;
    found.add(hash);
    queue.push(...commit.parents);
  }
  return found;
}
