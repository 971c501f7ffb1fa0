'use client';

import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import { useProject } from '@/components/editor-state/project-context';
import { useRun, useRunActions } from '@/components/editor-state/run-context';
import { runOption, useRunsOf } from '@/components/run/use-runs-of';
import { buttonClass } from '@/components/ui/button';
import { PickOne } from '@/components/ui/picker';

/** Chooses the run whose values the editor shows: the newest, or one before it. */
export function RunChoice({ runId }: { readonly runId: string }) {
  const projectId = useProject((state) => state.projectId);
  const started = useRun((state) => state.runId);
  const actions = useRunActions();
  const runs = useRunsOf(projectId, started);
  const options = (runs.data ?? []).map(runOption);
  const isListed = options.some(({ value }) => value === runId);
  const older = { value: runId, label: 'An older run', note: runId };
  return (
    <div className="flex items-center gap-2 border-b px-3 py-2">
      <PickOne
        label="Run"
        size="sm"
        className="min-w-0 flex-1"
        value={runs.data === undefined ? undefined : runId}
        placeholder={runs.isError ? 'The runs could not be listed' : 'Loading runs…'}
        options={isListed ? options : [...options, older]}
        onChange={(id) => {
          if (id !== undefined) actions.showRun(id);
        }}
      />
      <Link href={`/r/${runId}`} className={buttonClass('ghost', 'sm')} title="Open the page of this run">
        <ExternalLink aria-hidden className="size-3.5" />
        Open
      </Link>
    </div>
  );
}
