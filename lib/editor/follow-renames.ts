import type { ProjectStore } from './project-store';
import { renamedNodes } from './renamed-nodes';
import type { RunSession } from './run-session';

/** Lets the form of the next run follow the names of agents and servers. Returns an unsubscribe function. */
export function followRenames({ store }: Pick<ProjectStore, 'store'>, run: Pick<RunSession, 'actions'>): () => void {
  return store.subscribe(({ picture }, before) => {
    if (picture === before.picture) return;
    const renamed = renamedNodes(before.picture, picture);
    if (renamed.size > 0) run.actions.followNames(renamed);
  });
}
