import { leaveOutOffer } from '@/lib/editor/leave-out';
import type { NodeId } from '@/lib/graph/graph';
import { useActions, useProject } from './project-context';
import { useRun, useRunActions } from './run-context';
import { useChosenAgent } from './use-next-run';

/**
 * Returns what leaves nodes out of the next run, or takes them back: its words, and what does it and shows the form of the run, which
 * says what is left out. `undefined` if none of the nodes can be left out.
 */
export function useLeaveOut(ids: readonly NodeId[]) {
  const nodes = useProject((state) => state.picture.nodes);
  const entry = useProject((state) => state.picture.entry);
  const start = useChosenAgent();
  const leftOut = useRun((state) => state.leftOut);
  const actions = useActions();
  const run = useRunActions();
  const chosen = ids.flatMap((id) => nodes.get(id) ?? []);
  const offer = leaveOutOffer(chosen, leftOut, start ?? entry);
  if (offer === undefined) return undefined;
  const toggle = () => {
    run.toggleLeftOut(...offer.ones);
    actions.show({ dockTab: 'run', narrowPanel: 'dock' });
  };
  return { label: offer.label, toggle };
}
