'use client';

import { FolderUp, LibraryBig, Plus } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Page } from '@/components/shell/page';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { showToast } from '@/components/ui/toast';
import { useAskedDialog } from '@/components/ui/use-asked-dialog';
import type { FirstModel } from '@/lib/cards/models/first-model';
import type { ProjectCardData, ProjectCardPage } from '@/lib/client/project-page';
import { hearReach } from '@/lib/client/reach';
import type { Template } from '@/lib/client/template-groups';
import { unreachable } from '@/lib/client/unreachable';
import type { OpenDialog } from './project-dialogs';
import { focusName, NoMatch, ProjectList } from './project-list';
import type { ProjectActions } from './project-types';
import { SearchBox } from './search-box';
import { useDrop } from './use-drop';
import { useProjectChanges } from './use-project-changes';
import { useProjects } from './use-projects';

export interface ProjectsViewProps {
  /** The first page for `text`. */
  readonly first: ProjectCardPage;
  /** A part of the names to show; empty for all. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly samples: readonly Template[];
  /** The model of a blank project; `undefined` if no key is set. */
  readonly firstModel: FirstModel | undefined;
  /** True where people have accounts. */
  readonly accounts: boolean;
  /** False for a person who may make none; true by default. */
  readonly makesProjects?: boolean;
  readonly actions: ProjectActions;
}

/** The search box is shown for more projects than this. */
const searchFrom = 8;

/** The first picture of the page needs no dialog. */
const loadDialogs = async () => (await import('./project-dialogs')).ProjectDialogs;

/**
 * Shows the list of projects with its actions: create, import, rename, duplicate, delete. A folder can be dropped anywhere
 * on it.
 */
export function ProjectsView(props: ProjectsViewProps) {
  const { first, text: openedWith, onText, samples, firstModel, accounts, makesProjects = true, actions } = props;
  const { dialog, ProjectDialogs, openDialog, close } = useDialog();
  const openIfAllowed = (next: OpenDialog) => makesProjects && openDialog(next);
  useAskedDialog({
    new: () => openIfAllowed({ kind: 'new' }),
    import: () => openIfAllowed({ kind: 'import', upload: undefined }),
  });
  const list = useRef<HTMLUListElement>(null);
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

  const newProject = useRef<HTMLButtonElement>(null);
  const removed = useFocusAfterRemoval(projects, list, newProject);
  const { create, rename, duplicate, remove, open } = useProjectChanges(actions, {
    onDone: close,
    onRemoved: (id) => removed({ id, place: projects.findIndex((one) => one.id === id) }),
  });
  const { over, handlers } = useDrop(
    (upload) => openDialog({ kind: 'import', upload }),
    (message) => showToast({ tone: 'bad', text: message }),
  );

  const sample = samples.find(({ id }) => id === 'pmo') ?? samples[0];
  return (
    <>
      <div {...handlers} className="relative min-h-full">
        <Page
          title="Projects"
          actions={makesProjects && <Buttons ref={newProject} isFirst={projects.length === 0} onOpen={openDialog} />}
        >
          {(text !== '' || total > searchFrom) && <SearchBox label="Search by name" text={text} onText={search} />}
          {error !== null && (
            <p role="status" className="mb-3 rounded border border-warn bg-warn-soft px-3 py-2 text-sm text-warn">
              {error.message} The list will be loaded again.
            </p>
          )}
          {projects.length === 0 && text !== '' ? (
            <NoMatch text={text} onClear={() => search('')} />
          ) : projects.length === 0 && !makesProjects ? (
            <NoneOfYours />
          ) : projects.length === 0 ? (
            <NoProjects
              sample={sample}
              busy={create.isPending}
              onSample={(id) => create.mutate({ name: undefined, sample: id })}
            />
          ) : (
            <ProjectList
              ref={list}
              projects={projects}
              total={total}
              hasMore={hasMore}
              isLoadingMore={isLoadingMore}
              onShowMore={showMore}
              exportHref={actions.exportHref}
              accounts={accounts}
              onRename={(project) => openDialog({ kind: 'rename', project })}
              onDuplicate={(project) => duplicate.mutate(project.id)}
              onDelete={(project) => openDialog({ kind: 'delete', project })}
            />
          )}
        </Page>
        {over && <DropHint />}
      </div>
      {dialog !== undefined && ProjectDialogs !== undefined && (
        <ProjectDialogs {...{ dialog, close, samples, firstModel, actions, open, create, rename, remove }} />
      )}
    </>
  );
}

function Buttons(props: {
  /** The button for a new project. */
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly isFirst: boolean;
  readonly onOpen: (dialog: OpenDialog) => void;
}) {
  const { ref, isFirst, onOpen } = props;
  return (
    <>
      <Button
        icon={<FolderUp aria-hidden className="size-4" />}
        onClick={() => onOpen({ kind: 'import', upload: undefined })}
      >
        Import
      </Button>
      <Button
        ref={ref}
        variant={isFirst ? 'secondary' : 'primary'}
        icon={<Plus aria-hidden className="size-4" />}
        onClick={() => onOpen({ kind: 'new' })}
      >
        New project
      </Button>
    </>
  );
}

/** For a person who has no project and may make none. */
function NoneOfYours() {
  return (
    <p className="mt-4 rounded-xl border border-line-strong border-dashed px-4 py-14 text-center text-muted text-sm">
      You work on no project yet. Only administrators make projects here: ask one to make one for you, or to add you to
      one.
    </p>
  );
}

function DropHint() {
  return (
    <div className="pointer-events-none absolute inset-3 flex items-center justify-center rounded-xl border-2 border-accent border-dashed bg-accent-soft/80">
      <p className="font-medium text-accent text-lg">Drop to import</p>
    </div>
  );
}

function NoProjects(props: {
  readonly sample: Template | undefined;
  readonly busy: boolean;
  readonly onSample: (id: string) => void;
}) {
  const { sample, busy, onSample } = props;
  return (
    <div className="mt-4 rounded-xl border border-line-strong border-dashed py-14">
      <EmptyState
        icon={<LibraryBig aria-hidden />}
        title="No projects yet"
        heading="h2"
        action={
          sample && (
            <Button variant="primary" busy={busy} onClick={() => onSample(sample.id)}>
              Open the sample
            </Button>
          )
        }
      >
        Each project is a folder of agent cards. It appears here with a picture of its graph and its last run. Drop a
        folder anywhere on this page to import it.
      </EmptyState>
    </div>
  );
}

/**
 * Returns the open dialog, and the component that shows it. The component is loaded when the page is shown, so that dialogs
 * open at once. A dialog that is opened earlier waits for it.
 */
function useDialog() {
  const [dialog, setDialog] = useState<OpenDialog>();
  const [ProjectDialogs, setProjectDialogs] = useState<Awaited<ReturnType<typeof loadDialogs>>>();
  useEffect(() => {
    // A failure is not shown here. Opening a dialog loads the code again.
    loadDialogs().then(
      (loaded) => setProjectDialogs(() => loaded),
      () => undefined,
    );
  }, []);
  const close = () => setDialog(undefined);
  const openDialog = (next: OpenDialog) => {
    setDialog(next);
    if (ProjectDialogs !== undefined) return;
    loadDialogs().then(
      (loaded) => setProjectDialogs(() => loaded),
      () => {
        close();
        hearReach(false);
        showToast({ tone: 'bad', text: unreachable });
      },
    );
  };
  return { dialog, ProjectDialogs, openDialog, close };
}

/** After a deletion, focuses the card in the place of the deleted one, or `fallback` if there is none. */
function useFocusAfterRemoval(
  projects: readonly ProjectCardData[],
  list: RefObject<HTMLUListElement | null>,
  fallback: RefObject<HTMLElement | null>,
): (gone: { readonly id: string; readonly place: number }) => void {
  const removed = useRef<{ readonly id: string; readonly place: number }>(undefined);
  useEffect(() => {
    const gone = removed.current;
    if (gone === undefined || projects.some(({ id }) => id === gone.id)) return;
    removed.current = undefined;
    if (!focusName(list.current, gone.place)) fallback.current?.focus();
  }, [projects, list, fallback]);
  return (gone) => {
    removed.current = gone;
  };
}
