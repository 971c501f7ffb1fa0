import type { Action } from '@/lib/base/rights';
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
  /** Set if its ids name nothing here, so that what is allowed finds nothing. */
  readonly misses?: true;
  /** Set if it removes or ends what it is about, so that each try needs another. */
  readonly ends?: true;
}
