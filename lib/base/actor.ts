import type { Reach } from './rights';

/** Who does something, through what, and how far it reaches. */
export interface Actor {
  /** `local` without accounts, otherwise the person's mail address. Rows and the audit log keep it. */
  readonly by: string;
  readonly via: 'web' | 'api' | 'link';
  readonly reach: Reach;
}

/** Without accounts everybody who may use the app is this one person. */
export function localActor(via: Actor['via']): Actor {
  return { by: 'local', via, reach: 'all' };
}
