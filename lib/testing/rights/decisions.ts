import type { Actor } from '@/lib/base/actor';
import { type Action, type Decision, decide } from '@/lib/base/rights';
import type { FullProject } from './full-project';

/** What is decided for an address or an action of the app. */
export interface Decided {
  readonly action: Action;
  /**
   * What it is about: a project, or what belongs to one; the installation; or a list, which has only what the actor may see. `open`:
   * it needs no sign-in.
   */
  readonly of: 'project' | 'run' | 'item' | 'grant' | 'task' | 'target' | 'installation' | 'list' | 'open';
  /** What must be allowed in the installation besides. */
  readonly also?: Action;
  readonly query?: (full: FullProject) => string;
  /** The body of a request, or the input of an action. */
  readonly input?: (full: FullProject) => unknown;
  /** What must be allowed in the project besides. */
  readonly andIn?: Action;
  /** Set if it is about another run of the project, instead of the first or besides it. */
  readonly another?: 'instead' | 'besides';
  /** The header `Accept` of the request. */
  readonly accept?: string;
  /** Set if an answer to whoever may has the mark of the project. */
  readonly shows?: true;
  /** Set if a name in it may be a new one, which it then makes. */
  readonly makes?: true;
  /** Set if it is about something that is not there, so that what is allowed finds nothing. */
  readonly misses?: true;
  /** Set if it removes or ends what it is about, so that each try needs another. */
  readonly ends?: true;
}

/** Returns what is decided for an actor about something of a project, where `run` is the run that a share link may show. */
export function decisionFor({ action, of, another }: Decided, actor: Actor, { project, run }: FullProject): Decision {
  const { reach } = actor;
  const decision = decide(reach, action, of === 'installation' ? null : project);
  if (reach === 'all' || reach.kind !== 'share') return decision;
  // To whoever has a link, there is nothing but its run.
  const isOwn = of === 'run' && reach.run === run && another !== 'instead';
  return isOwn && !(decision === 'allowed' && another === 'besides') ? decision : 'unseen';
}
