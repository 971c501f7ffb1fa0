import { editorHref } from '@/lib/client/project-address';
import type { ProjectPageId, projectPages } from '@/lib/client/project-places';

export interface PagesProps {
  readonly project: { readonly id: string };
  readonly current: ProjectPageId | undefined;
  readonly draft: string;
}

/** The way to the editor keeps the draft that is shown. */
export function hrefOf(page: (typeof projectPages)[number], { project, draft }: PagesProps): string {
  return page.id === 'editor' ? editorHref(project.id, draft) : page.href(project.id);
}
