'use client';

import { ProjectsView } from '@/components/projects/projects-view';
import { QueryProvider } from '@/components/shell/query-provider';
import type { FirstModel } from '@/lib/cards/models/first-model';
import type { ProjectCardPage } from '@/lib/client/project-page';
import type { Template } from '@/lib/client/template-groups';
import { projectActions } from './project-actions';

export interface ProjectsClientProps {
  readonly first: ProjectCardPage;
  readonly text: string;
  readonly samples: readonly Template[];
  /** The model of a blank project; `undefined` if no key is set. */
  readonly firstModel: FirstModel | undefined;
  /** True where people have accounts. */
  readonly accounts: boolean;
  readonly makesProjects?: boolean;
}

export function ProjectsClient(props: ProjectsClientProps) {
  return (
    <QueryProvider>
      <ProjectsView {...props} actions={projectActions} onText={keepInAddress} />
    </QueryProvider>
  );
}

function keepInAddress(text: string): void {
  window.history.replaceState(null, '', text.trim() === '' ? '/' : `/?${new URLSearchParams({ text })}`);
}
