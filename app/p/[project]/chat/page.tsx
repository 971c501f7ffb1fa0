import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { QueryProvider } from '@/components/shell/query-provider';
import { AppError } from '@/lib/base/app-error';
import { escapeHidden } from '@/lib/base/escape-hidden';
import { shownProviderVariables } from '@/lib/cards/models/providers';
import { chatProject } from '@/lib/server/chat-choices';
import { installationFor } from '@/lib/server/installation';
import { readAccess } from '@/lib/server/project-access';
import { ChatClient } from './chat-client';

interface ChatPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

const open = cache(async (project: string) => {
  try {
    return await chatProject(await pageActor(), projectId({ project }));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: ChatPageProps): Promise<Metadata> {
  const { name } = await open((await params).project);
  return { title: `Chat · ${escapeHidden(name)}` };
}

/** Conversations with a project. The browser reads them, because they change while the page is open. */
export default async function ChatPage({ params }: ChatPageProps) {
  const { project } = await params;
  const { name, choices, problem } = await open(project);
  const access = await readAccess(await pageActor(), projectId({ project }));
  const { models, projectEnv, secrets } = await installationFor(projectId({ project }));
  const names = [...Object.keys(projectEnv), ...secrets].map((variable) => [variable, undefined]);
  const here = { variables: shownProviderVariables(models), projectEnv: Object.fromEntries(names), hasValues: false };
  return (
    <QueryProvider>
      <ChatClient
        access={access}
        key={project}
        project={project}
        projectName={name}
        // Settings of the project may have keys of their own, which only a run reads.
        choices={choices && { ...choices, here: choices.hasProviders ? undefined : here }}
        problem={problem}
      />
    </QueryProvider>
  );
}
