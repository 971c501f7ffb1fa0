'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FolderUp, LibraryBig, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Page } from '@/components/shell/page';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { showToast } from '@/components/ui/toast';
import type { ProjectCardData, ProjectCardPage } from '@/lib/client/project-page';
import { ImportDialog, messageOf } from './import-dialog';
import { NewProjectDialog } from './new-project-dialog';
import { focusName, NoMatch, ProjectList } from './project-list';
import type { ProjectActions, Sample, Upload } from './project-types';
import { RenameDialog } from './rename-dialog';
import { SearchBox } from './search-box';
import { useDrop } from './use-drop';
import { useProjects } from './use-projects';

export interface ProjectsViewProps {
  /** The first page for `text`. */
  readonly first: ProjectCardPage;
  /** Part of the names to show; empty for all. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly samples: readonly Sample[];
  readonly actions: ProjectActions;
}

/** Fewer are seen at a glance. */
const searchFrom = 8;

type OpenDialog =
  | { readonly kind: 'new' }
  | { readonly kind: 'import'; readonly upload: Upload | undefined }
  | { readonly kind: 'rename' | 'delete'; readonly project: ProjectCardData };

/** The list of projects and all that is done with one from outside. A folder may be dropped anywhere on it. */
export function ProjectsView({ first, text: openedWith, onText, samples, actions }: ProjectsViewProps) {
  const router = useRouter();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const list = useRef<HTMLUListElement>(null);
  const newProject = useRef<HTMLButtonElement>(null);
  /** A project just deleted: its card had the focus, so the card in its place gets it. */
  const removed = useRef<{ readonly id: string; readonly place: number }>(undefined);
  const [text, setText] = useState(openedWith);
  const search = (next: string) => {
    setText(next);
    onText(next);
  };
  const { projects, total, hasMore, isLoadingMore, showMore, error } = useProjects(
    text,
    openedWith,
    first,
    actions.list,
  );

  const changed = () => client.invalidateQueries({ queryKey: ['projects'] });
  const failed = (error: unknown) => showToast({ tone: 'bad', text: messageOf(error) });
  const open = (id: string) => {
    void changed();
    router.push(`/p/${id}`);
  };
  const create = useMutation({
    mutationFn: ({ name, sample }: { name: string | undefined; sample: string | undefined }) =>
      sample ? actions.createFromSample(sample, name) : actions.create(name ?? 'Untitled', undefined, () => {}),
    onSuccess: open,
    onError: failed,
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => actions.rename(id, name),
    onSuccess: () => {
      close();
      return changed();
    },
    onError: failed,
  });
  const duplicate = useMutation({ mutationFn: actions.duplicate, onSuccess: changed, onError: failed });
  const remove = useMutation({
    mutationFn: (project: ProjectCardData) => actions.remove(project.id),
    onSuccess: (_result, project) => {
      removed.current = { id: project.id, place: projects.findIndex(({ id }) => id === project.id) };
      close();
      showToast({ tone: 'ok', text: `Deleted “${project.name}”.` });
      return changed();
    },
    onError: failed,
  });
  useEffect(() => {
    const gone = removed.current;
    if (gone === undefined || projects.some(({ id }) => id === gone.id)) return;
    removed.current = undefined;
    if (!focusName(list.current, gone.place)) newProject.current?.focus();
  }, [projects]);
  const { over, handlers } = useDrop(
    (upload) => setDialog({ kind: 'import', upload }),
    (message) => showToast({ tone: 'bad', text: message }),
  );

  const [sample] = samples;
  return (
    <>
      <div {...handlers} className="relative min-h-full">
        <Page
          title="Projects"
          actions={
            <>
              <Button
                icon={<FolderUp aria-hidden className="size-4" />}
                onClick={() => setDialog({ kind: 'import', upload: undefined })}
              >
                Import
              </Button>
              <Button
                ref={newProject}
                variant={projects.length > 0 ? 'primary' : 'secondary'}
                icon={<Plus aria-hidden className="size-4" />}
                onClick={() => setDialog({ kind: 'new' })}
              >
                New project
              </Button>
            </>
          }
        >
          {(text !== '' || total > searchFrom) && <SearchBox label="Search by name" text={text} onText={search} />}
          {error !== null && (
            <p role="status" className="mb-3 rounded border border-warn bg-warn-soft px-3 py-2 text-sm text-warn">
              {error.message} The list is asked for again.
            </p>
          )}
          {projects.length === 0 && text !== '' ? (
            <NoMatch text={text} onClear={() => search('')} />
          ) : projects.length === 0 ? (
            <div className="mt-4 rounded-xl border border-line-strong border-dashed py-14">
              <EmptyState
                icon={<LibraryBig aria-hidden />}
                title="No projects yet"
                heading="h2"
                action={
                  sample && (
                    <Button
                      variant="primary"
                      busy={create.isPending}
                      onClick={() => create.mutate({ name: undefined, sample: sample.id })}
                    >
                      Open the sample
                    </Button>
                  )
                }
              >
                Each project is a folder of agent cards. It appears here with a picture of its graph and its last run.
                Drop a folder anywhere on this page to import it.
              </EmptyState>
            </div>
          ) : (
            <ProjectList
              ref={list}
              projects={projects}
              total={total}
              hasMore={hasMore}
              isLoadingMore={isLoadingMore}
              onShowMore={showMore}
              exportHref={actions.exportHref}
              onRename={(project) => setDialog({ kind: 'rename', project })}
              onDuplicate={(project) => duplicate.mutate(project.id)}
              onDelete={(project) => setDialog({ kind: 'delete', project })}
            />
          )}
        </Page>
        {over && (
          <div className="pointer-events-none absolute inset-3 flex items-center justify-center rounded-xl border-2 border-accent border-dashed bg-accent-soft/80">
            <p className="font-medium text-accent text-lg">Drop to import</p>
          </div>
        )}
      </div>
      {dialog?.kind === 'new' && (
        <NewProjectDialog
          samples={samples}
          busy={create.isPending}
          onClose={close}
          onCreate={(name, from) => create.mutate({ name, sample: from })}
        />
      )}
      {dialog?.kind === 'import' && (
        <ImportDialog
          initial={dialog.upload}
          check={actions.check}
          create={actions.create}
          onClose={close}
          onImported={open}
        />
      )}
      {dialog?.kind === 'rename' && (
        <RenameDialog
          name={dialog.project.name}
          busy={rename.isPending}
          onClose={close}
          onRename={(name) => rename.mutate({ id: dialog.project.id, name })}
        />
      )}
      {dialog?.kind === 'delete' && (
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
      )}
    </>
  );
}
