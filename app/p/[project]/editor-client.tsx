'use client';

import { useMemo } from 'react';
import type { Points } from '@/components/editor/place-nodes';
import { ProjectEditor, type ProjectEditorProps } from '@/components/editor/project-editor';
import { editorServices } from './editor-services';
import { folderOfFiles, type WireFile } from './wire-files';

export interface EditorClientProps extends Pick<ProjectEditorProps, 'lastRun' | 'again' | 'pythonOff' | 'trust'> {
  readonly projectId: string;
  readonly name: string;
  readonly version: number;
  readonly files: readonly WireFile[];
  readonly layoutPoints: Points;
}

/** The editor with its way to the server. */
export function EditorClient({ files, ...rest }: EditorClientProps) {
  const services = useMemo(() => editorServices(rest.projectId), [rest.projectId]);
  const folder = useMemo(() => folderOfFiles(files), [files]);
  return <ProjectEditor {...rest} folder={folder} services={services} />;
}
