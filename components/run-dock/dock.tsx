'use client';

import { CircleAlert, FileText, Play, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useProblems } from '@/components/editor-state/use-problems';
import { later, useLoadedWhenIdle } from '@/components/ui/later';
import { Tabs } from '@/components/ui/tabs';
import { countProblems } from '@/lib/editor/problem-groups';
import { LiveRun, RunTab } from './run-tab';

const ProblemsTab = later(async () => (await import('./problems-tab')).ProblemsTab);
const FilesTab = later(async () => (await import('./files-tab')).FilesTab);
const parts = [LiveRun, ProblemsTab, FilesTab];

/** The panel at the bottom, with the run, the problems and the files. */
export function Dock(props: { readonly actions?: React.ReactNode }) {
  const tab = useProject((state) => state.dockTab);
  const actions = useActions();
  useLoadedWhenIdle(parts);
  return (
    <Tabs
      label="Dock"
      value={tab}
      onValueChange={(id) => actions.show({ dockTab: id === 'problems' || id === 'files' ? id : 'run' })}
      actions={props.actions}
      // The tab is kept mounted, so that the run is shown on the canvas while another tab is open.
      keepMounted
      tabs={[
        { id: 'run', label: 'Run', icon: <Play aria-hidden />, content: <RunTab /> },
        {
          id: 'problems',
          label: 'Problems',
          icon: <CircleAlert aria-hidden />,
          badge: <ProblemBadge />,
          content: tab === 'problems' ? <ProblemsTab /> : null,
        },
        { id: 'files', label: 'Files', icon: <FileText aria-hidden />, content: tab === 'files' ? <FilesTab /> : null },
      ]}
    />
  );
}

function ProblemBadge() {
  const issues = useProblems();
  const { errors, warnings } = useMemo(() => countProblems(issues), [issues]);
  if (errors > 0) {
    return (
      <span className="rounded-sm bg-bad-soft px-1 text-2xs font-medium text-bad tabular">
        {errors}
        <span className="sr-only"> {errors === 1 ? 'error' : 'errors'}</span>
      </span>
    );
  }
  if (warnings === 0) return null;
  return (
    <span className="inline-flex items-center gap-0.5 rounded-sm bg-warn-soft px-1 text-2xs font-medium text-warn tabular">
      <TriangleAlert size={11} aria-hidden />
      {warnings}
      <span className="sr-only"> {warnings === 1 ? 'warning' : 'warnings'}</span>
    </span>
  );
}
