import { useMemo } from 'react';
import { useOverlay } from '@/components/editor/overlay-context';
import { useProject } from '@/components/editor/project-context';
import { startProblems } from '@/components/run/failed-servers';
import type { Issue } from '@/lib/base/issue';

/** What the checker found, and which servers did not start in the run that is shown. */
export function useProblems(): readonly Issue[] {
  const { issues, cards } = useProject((state) => state.picture.parsed);
  const failed = useOverlay((overlay) => overlay.failedStarts);
  return useMemo(
    () => (failed.length === 0 ? issues : [...issues, ...startProblems(failed, cards)]),
    [issues, cards, failed],
  );
}
