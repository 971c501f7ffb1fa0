import { useMemo } from 'react';
import type { Issue } from '@/lib/base/issue';
import { startProblems } from '@/lib/editor/failed-servers';
import { sessionProblems } from '@/lib/editor/lost-sessions';
import { useOverlay } from './overlay-context';
import { useProject } from './project-context';

/**
 * Returns the problems that the checker found, and those of the shown run: servers that did not start, sessions that were
 * not saved.
 */
export function useProblems(): readonly Issue[] {
  const { issues, cards } = useProject((state) => state.picture.parsed);
  const failed = useOverlay((overlay) => overlay.failedStarts);
  const lost = useOverlay((overlay) => overlay.lostSessions);
  return useMemo(
    () =>
      failed.length + lost.length === 0
        ? issues
        : [...issues, ...startProblems(failed, cards), ...sessionProblems(lost, cards)],
    [issues, cards, failed, lost],
  );
}
