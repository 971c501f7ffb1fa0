/** Where the git history of a project is pushed when a label moves. The token is a secret; this has its name. */
export interface MirrorSettings {
  readonly url: string;
  readonly user: string;
  readonly secret: string;
}

/**
 * - `idle`: nothing was pushed, because nothing is published
 * - `waiting`: a push is due, or a worker makes it
 * - `pushed`: the remote has what is live
 * - `retrying`: the last push failed and is tried again at `nextAt`
 * - `failed`: the last push failed, and somebody has to change something
 * - `diverged`: the remote has commits, branches or tags that are not of this project, so nothing is pushed
 */
export type MirrorState = 'idle' | 'waiting' | 'pushed' | 'retrying' | 'failed' | 'diverged';

/** A mirror as people and programs see it. Times are in epoch milliseconds. */
export interface MirrorInfo extends MirrorSettings {
  readonly by: string;
  readonly state: MirrorState;
  /** The last push that went well. */
  readonly pushed: { readonly commit: string; readonly revision: number | null; readonly at: number } | null;
  /** Why the last push did not go well, and when. */
  readonly error: { readonly words: string; readonly at: number } | null;
  readonly nextAt: number | null;
}
