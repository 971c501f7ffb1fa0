'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { relativeTime } from '@/components/ui/relative-time';
import { statusWord } from '@/components/ui/status';
import type { RunInfo } from '@/lib/client/run-info';
import { listRuns } from '@/lib/client/runs';

/** Loads the last runs of a project, newest first. They are loaded again when `newest` changes. */
export function useRunsOf(projectId: string, newest?: string) {
  return useQuery({
    queryKey: ['runs-of', projectId, newest],
    queryFn: async () => {
      const { groups } = await listRuns(`project=${projectId}`, undefined);
      return groups.flatMap(({ runs }) => runs).sort((a, b) => b.createdAt - a.createdAt);
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Returns a run as an option of a picker: the first line of its message, its time and its state. */
export function runOption(run: RunInfo) {
  const message = run.message.trim().split('\n')[0] ?? '';
  return {
    value: run.id,
    label: message === '' ? 'Without a message' : message.slice(0, 120),
    note: `${relativeTime(run.createdAt, Date.now())} · ${statusWord(run.status).toLowerCase()}`,
  };
}
