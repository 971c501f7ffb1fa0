import { useMemo } from 'react';
import type { Issue } from '@/lib/base/issue';
import { startProblems } from '@/lib/editor/failed-servers';
import { sessionProblems } from '@/lib/editor/lost-sessions';
import { useOverlay } from './overlay-context';
import { useProject } from './project-context';
import { useDriftProblems } from './servers-context';

/**
 * Returns the problems that the checker found, those of the shown run (servers that did not start, sessions that were not
 * saved), and filters whose server has changed since.
 */
export function useProblems(): readonly Issue[] {
  const { issues, cards } = useProject((state) => state.picture.parsed);
  const failed = useOverlay((overlay) => overlay.failedStarts);
  const lost = useOverlay((overlay) => overlay.lostSessions);
  const folder = useProject((state) => state.document.folder);
  const drifted = useDriftProblems();
  return useMemo(
    () =>
      failed.length + lost.length + drifted.length === 0
        ? issues
        : [...issues, ...drifted, ...startProblems(failed, cards, folder), ...sessionProblems(lost, cards)],
    [issues, cards, failed, lost, drifted, folder],
  );
}
