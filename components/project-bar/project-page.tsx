import { Page, type PageProps } from '@/components/shell/page';
import { ProjectBar, type ProjectBarProps } from './project-bar';

export interface ProjectPageProps extends PageProps, Pick<ProjectBarProps, 'project' | 'access' | 'current'> {}

/** A page of a project: the project's bar, which stays, and below it a title and one column of content, which scroll. */
export function ProjectPage({ project, access, current, ...page }: ProjectPageProps) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ProjectBar {...{ project, access, current }} />
      <div className="relative min-h-0 flex-1 overflow-auto">
        <Page {...page} />
      </div>
    </div>
  );
}
