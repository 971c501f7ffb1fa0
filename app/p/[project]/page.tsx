import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { projectId } from '@/app/api/project-id';
import { AppError } from '@/lib/base/app-error';
import { readFolder } from '@/lib/cards/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { openProject } from '@/lib/server/projects';
import { EditorClient } from './editor-client';
import { initialLayout } from './initial-layout';

interface ProjectPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

const open = cache(async (project: string) => {
  try {
    return await openProject(projectId({ project }));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: ProjectPageProps): Promise<Metadata> {
  const { name } = await open((await params).project);
  return { title: name };
}

/** The editor of one project. Nodes without a saved place are laid out here, so that the browser need not load the engine. */
export default async function ProjectPage({ params }: ProjectPageProps) {
  const { id, name, version, folder } = await open((await params).project);
  const parsed = readFolder(folder);
  const layoutPoints = await initialLayout(projectGraph(parsed), parsed.settings.canvas.positions);
  const files = [...folder].map(([path, file]) => ({ path, text: file.kind === 'text' ? file.text : null }));
  return (
    <EditorClient key={id} projectId={id} name={name} version={version} files={files} layoutPoints={layoutPoints} />
  );
}
