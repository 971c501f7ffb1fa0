import { type GitHash, noObject } from '@/lib/interop/git/git-object';
import { ancestorsOf } from '@/lib/interop/git/negotiate';
import type { RefChange } from '@/lib/interop/git/push-request';
import { type GitRef, mainRef } from '@/lib/interop/git/refs';
import type { History } from '@/lib/store/git/history';

/** What a push changes at the remote, or what the remote has that is not of the project. */
export type PushPlan =
  | {
      readonly kind: 'push';
      readonly main: GitHash;
      readonly changes: readonly RefChange[];
      /** Commits of the project that the remote has. */
      readonly haves: readonly GitHash[];
    }
  | { readonly kind: 'diverged'; readonly refs: readonly GitRef[] }
  | { readonly kind: 'nothing' };

const labels = 'refs/heads/label/';
const tags = 'refs/tags/';

/**
 * Plans a push of what is live, of the labels, and of the tags of the revisions in their histories. Drafts stay at home. `main` only goes
 * forward, tags are only added, and a branch of a label moves only from one commit of the project to another. So nothing of somebody
 * else is lost: where the remote has something else, nothing is pushed.
 */
export function planPush({ refs, commits }: History, remote: ReadonlyMap<string, GitHash>): PushPlan {
  const main = refs.find(({ name }) => name === mainRef);
  if (main === undefined) return { kind: 'nothing' };
  const branches = refs.filter(({ name }) => name === mainRef || name.startsWith(labels));
  const sent = ancestorsOf(
    branches.map(({ hash }) => hash),
    commits,
  );
  const pushed = [...branches, ...refs.filter(({ name, hash }) => name.startsWith(tags) && sent.has(hash))];
  const ofMain = ancestorsOf([main.hash], commits);
  const isForeign = ({ name, hash }: GitRef) => {
    const there = remote.get(name);
    if (there === undefined || there === hash) return false;
    return name === mainRef ? !ofMain.has(there) : name.startsWith(tags) || !commits.has(there);
  };
  const foreign = pushed.filter(isForeign);
  if (foreign.length > 0) {
    return { kind: 'diverged', refs: foreign.map(({ name, hash }) => ({ name, hash: remote.get(name) ?? hash })) };
  }
  return {
    kind: 'push',
    main: main.hash,
    changes: pushed.flatMap(({ name, hash }) => {
      const before = remote.get(name) ?? noObject;
      return before === hash ? [] : [{ name, before, after: hash }];
    }),
    haves: [...new Set(remote.values())].filter((hash) => commits.has(hash)),
  };
}
