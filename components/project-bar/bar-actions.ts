import { type ProjectAccess, whyNot } from '@/lib/base/project-access';
import { editorDialogHref } from '@/lib/client/project-address';

/** What a page does itself for a button of the bar. */
export interface BarActions {
  readonly onExport: () => void;
  readonly onPublish: () => void;
  /** True while what is to be published is saved. */
  readonly isPublishing: boolean;
}

/** A button at the end of the bar. It acts here, or leads to a page that does. */
export interface BarAction {
  readonly name: 'Export' | 'Publish';
  readonly words: readonly string[];
  readonly href?: string;
  readonly act?: () => void;
  readonly busy?: boolean;
  /** Why the person may not do it. */
  readonly refusal?: string | undefined;
}

/** Returns the buttons that a person is offered. People who may not edit are not offered to publish. */
export function barActions(
  project: { readonly id: string; readonly draft: string },
  access: ProjectAccess,
  own: BarActions | undefined,
): readonly BarAction[] {
  const { id, draft } = project;
  const exports = { name: 'Export', words: ['download', 'zip', 'save as', 'fast-agent', 'folder'] } as const;
  const publish = { name: 'Publish', words: ['release', 'deploy', 'go live', 'ship', 'promote'] } as const;
  const refusal = whyNot(access, 'project.review');
  const exporting: BarAction =
    own === undefined ? { ...exports, href: editorDialogHref(id, draft, 'export') } : { ...exports, act: own.onExport };
  if (!access.rights.includes('edit')) return [exporting];
  const publishing: BarAction =
    own === undefined
      ? { ...publish, href: editorDialogHref(id, draft, 'publish'), refusal }
      : { ...publish, act: own.onPublish, busy: own.isPublishing, refusal };
  return [exporting, publishing];
}
