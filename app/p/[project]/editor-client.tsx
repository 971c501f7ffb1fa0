'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useAccess } from '@/components/access/access-context';
import { BudgetBar } from '@/components/editor/budget-bar';
import { ProjectEditor } from '@/components/editor/project-editor';
import type { ProjectEditorProps } from '@/components/editor/project-editor-props';
import { ProjectBar } from '@/components/project-bar/project-bar';
import { PublishContext } from '@/components/revisions/publish-context';
import { QueryProvider } from '@/components/shell/query-provider';
import type { BudgetNotice } from '@/lib/base/limits';
import { readBudgetNotice } from '@/lib/client/budget';
import { folderOfFiles, type WireFile } from '@/lib/client/wire-files';
import type { Points } from '@/lib/editor/place-nodes';
import { editorServices } from './editor-services';
import { publishServices } from './revisions/publish-services';

export interface EditorClientProps
  extends Pick<ProjectEditorProps, 'lastRun' | 'again' | 'installation' | 'unreadable' | 'trust' | 'access'> {
  readonly projectId: string;
  readonly draft: string;
  readonly drafts: readonly string[];
  readonly name: string;
  readonly version: number;
  readonly files: readonly WireFile[];
  readonly layoutPoints: Points;
  readonly budget: BudgetNotice | null;
}

/**
 * Renders the editor, with the requests it may send. It is rendered only in the browser, because rendering parses the
 * project's files, which the web process must not do on its main thread.
 */
export function EditorClient({ files, drafts, budget, ...rest }: EditorClientProps) {
  const { projectId, draft } = rest;
  const services = useMemo(() => editorServices(projectId, draft), [projectId, draft]);
  const publishing = useMemo(() => ({ ...publishServices(projectId), drafts }), [projectId, drafts]);
  const folder = useMemo(() => folderOfFiles(files), [files]);
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!inBrowser) return <ClosedEditor {...rest} />;
  return (
    <QueryProvider>
      <PublishContext value={publishing}>
        <ProjectEditor
          {...rest}
          folder={folder}
          services={services}
          banner={<Budget projectId={projectId} first={budget} />}
        />
      </PublishContext>
    </QueryProvider>
  );
}

const budgetMs = 60_000;

/** Follows the budget while the editor is open. Runs elsewhere use it too. */
function Budget({ projectId, first }: { readonly projectId: string; readonly first: BudgetNotice | null }) {
  const { data } = useQuery({
    queryKey: ['budget', projectId],
    queryFn: () => readBudgetNotice(projectId),
    initialData: first,
    staleTime: budgetMs,
    refetchInterval: budgetMs,
    retry: false,
  });
  return <BudgetBar notice={data} />;
}

const never = () => () => undefined;

/** Shows the bar of the project, and the place of the tools, until the editor has loaded. */
function ClosedEditor(props: Pick<EditorClientProps, 'projectId' | 'name' | 'draft' | 'access'>) {
  const { projectId: id, name, draft, access } = props;
  const everything = useAccess();
  return (
    <>
      <ProjectBar project={{ id, name }} access={access ?? everything} current="editor" draft={draft} isTitle />
      <div className="h-10 border-b bg-surface" />
    </>
  );
}
