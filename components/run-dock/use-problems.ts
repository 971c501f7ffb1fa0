import { useMemo } from 'react';
import { useOverlay } from '@/components/editor/overlay-context';
import { useProject } from '@/components/editor/project-context';
import type { Issue } from '@/lib/base/issue';
import { startProblems } from '@/lib/editor/failed-servers';
import { sessionProblems } from '@/lib/editor/lost-sessions';

/** What the checker found, and what of the run that is shown a person should know: servers that did not start, sessions not saved. */
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
