'use client';

import { useMemo, useSyncExternalStore } from 'react';
import { ProjectEditor } from '@/components/editor/project-editor';
import type { ProjectEditorProps } from '@/components/editor/project-editor-props';
import { PublishContext } from '@/components/revisions/publish-context';
import { QueryProvider } from '@/components/shell/query-provider';
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
}

/**
 * Renders the editor, with the requests it may send. It is rendered only in the browser, because rendering parses the
 * project's files, which the web process must not do on its main thread.
 */
export function EditorClient({ files, drafts, ...rest }: EditorClientProps) {
  const { projectId, draft } = rest;
  const services = useMemo(() => editorServices(projectId, draft), [projectId, draft]);
  const publishing = useMemo(() => ({ ...publishServices(projectId), drafts }), [projectId, drafts]);
  const folder = useMemo(() => folderOfFiles(files), [files]);
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!inBrowser) return <ClosedEditor name={rest.name} />;
  return (
    <QueryProvider>
      <PublishContext value={publishing}>
        <ProjectEditor {...rest} folder={folder} services={services} />
      </PublishContext>
    </QueryProvider>
  );
}

const never = () => () => undefined;

/** Shows a top bar with only the name until the editor has loaded. */
function ClosedEditor({ name }: { readonly name: string }) {
  return (
    <header className="flex h-11 shrink-0 items-center border-b bg-surface px-2 sm:px-3">
      <h1 className="min-w-0 truncate font-semibold text-ink text-sm">{name}</h1>
    </header>
  );
}
