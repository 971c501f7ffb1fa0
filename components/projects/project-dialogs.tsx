'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import type { FirstModel } from '@/lib/cards/models/first-model';
import type { ProjectCardData } from '@/lib/client/project-page';
import type { Template } from '@/lib/client/template-groups';
import { ImportDialog } from './import-dialog';
import { NewProjectDialog } from './new-project-dialog';
import type { ProjectActions, Upload } from './project-types';
import { RenameDialog } from './rename-dialog';
import type { useProjectChanges } from './use-project-changes';

export type OpenDialog =
  | { readonly kind: 'new' }
  | { readonly kind: 'import'; readonly upload: Upload | undefined }
  | { readonly kind: 'rename' | 'delete'; readonly project: ProjectCardData };

/** Shows the open dialog. */
export function ProjectDialogs(
  props: {
    readonly dialog: OpenDialog;
    readonly close: () => void;
    readonly samples: readonly Template[];
    readonly firstModel: FirstModel | undefined;
    readonly actions: ProjectActions;
  } & Pick<ReturnType<typeof useProjectChanges>, 'open' | 'create' | 'rename' | 'remove'>,
) {
  const { dialog, close, samples, firstModel, actions, open, create, rename, remove } = props;
  switch (dialog.kind) {
    case 'new':
      return (
        <NewProjectDialog
          samples={samples}
          firstModel={firstModel}
          busy={create.isPending}
          onClose={close}
          onCreate={(name, sample, byPointer) =>
            create.mutate({ name, sample, hasMessageNext: byPointer && sample === undefined })
          }
        />
      );
    case 'import':
      return (
        <ImportDialog
          initial={dialog.upload}
          check={actions.check}
          create={actions.create}
          onClose={close}
          onImported={open}
        />
      );
    case 'rename':
      return (
        <RenameDialog
          name={dialog.project.name}
          busy={rename.isPending}
          onClose={close}
          onRename={(name) => rename.mutate({ id: dialog.project.id, name })}
        />
      );
    case 'delete':
      return (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={`Delete “${dialog.project.name}”?`}
          confirm="Delete project"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(dialog.project)}
        >
          Its files and all its runs are deleted for good. Export it first if you may want it back.
        </ConfirmDialog>
      );
  }
}
