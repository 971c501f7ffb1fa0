'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderUp, LibraryBig, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Page } from '@/components/shell/page';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { showToast } from '@/components/ui/toast';
import { ImportDialog, messageOf } from './import-dialog';
import { NewProjectDialog } from './new-project-dialog';
import { ProjectCard } from './project-card';
import type { ProjectActions, ProjectCardData, Sample, Upload } from './project-types';
import { RenameDialog } from './rename-dialog';
import { useDrop } from './use-drop';

export interface ProjectsViewProps {
  readonly projects: readonly ProjectCardData[];
  readonly samples: readonly Sample[];
  readonly actions: ProjectActions;
}

type OpenDialog =
  | { readonly kind: 'new' }
  | { readonly kind: 'import'; readonly upload: Upload | undefined }
  | { readonly kind: 'rename' | 'delete'; readonly project: ProjectCardData };

/** The list of projects and all that is done with one from outside. A folder may be dropped anywhere on it. */
export function ProjectsView({ projects: initial, samples, actions }: ProjectsViewProps) {
  const router = useRouter();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const list = useRef<HTMLUListElement>(null);
  const newProject = useRef<HTMLButtonElement>(null);
  /** A project just deleted: its card had the focus, so the card in its place gets it. */
  const removed = useRef<{ readonly id: string; readonly place: number }>(undefined);
  const { data: projects } = useQuery({
    queryKey: ['projects'],
    queryFn: actions.list,
    initialData: initial,
    // A run in progress changes its card; otherwise the list changes only by what is done here.
    refetchInterval: (query) => (query.state.data?.some(isWorking) ? 3_000 : 30_000),
  });

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
    const names = list.current?.querySelectorAll<HTMLElement>('h2 a') ?? [];
    (names[Math.min(gone.place, names.length - 1)] ?? newProject.current)?.focus();
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
          {projects.length === 0 ? (
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
            <ul
              ref={list}
              aria-label="Projects"
              className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-4"
            >
              {projects.map((project) => (
                <ProjectCard
                  key={project.id}
                  project={project}
                  exportHref={actions.exportHref(project.id)}
                  onRename={() => setDialog({ kind: 'rename', project })}
                  onDuplicate={() => duplicate.mutate(project.id)}
                  onDelete={() => setDialog({ kind: 'delete', project })}
                />
              ))}
            </ul>
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

function isWorking(project: ProjectCardData): boolean {
  return project.lastRun?.status === 'running' || project.lastRun?.status === 'queued';
}
