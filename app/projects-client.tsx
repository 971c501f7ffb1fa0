'use client';

import type { ProjectCardData, Sample } from '@/components/projects/project-types';
import { ProjectsView } from '@/components/projects/projects-view';
import { QueryProvider } from '@/components/shell/query-provider';
import { projectActions } from './project-actions';

export function ProjectsClient(props: { projects: readonly ProjectCardData[]; samples: readonly Sample[] }) {
  return (
    <QueryProvider>
      <ProjectsView {...props} actions={projectActions} />
    </QueryProvider>
  );
}
