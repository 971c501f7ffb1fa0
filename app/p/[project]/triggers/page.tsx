import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { wellFormed } from '@/lib/base/well-formed';
import { readAccess } from '@/lib/server/project-access';
import { describeProject } from '@/lib/server/projects';
import { listRevisions } from '@/lib/server/revisions';
import { publicAddress } from '@/lib/server/settings/process-env';
import { readTriggers } from '@/lib/server/triggers';
import { TriggersClient } from './triggers-client';

export const metadata: Metadata = { title: 'Triggers' };

interface TriggersPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

const mostRevisions = 50;

async function open(actor: Actor, project: string) {
  try {
    const id = projectId({ project });
    const [{ name }, access, triggers, found] = await Promise.all([
      describeProject(actor, id),
      readAccess(actor, id),
      readTriggers(actor, id),
      listRevisions(actor, id, { limit: mostRevisions }),
    ]);
    return { id, name, access, triggers, ...found };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** The schedules and webhooks of a project. */
export default async function TriggersPage({ params }: TriggersPageProps) {
  const actor = await pageActor();
  const { id, name, access, triggers, labels, revisions } = await open(actor, (await params).project);
  const now = Date.now();
  const description = 'What starts the project without a person: schedules and webhooks.';
  return (
    <ProjectPage project={{ id, name }} access={access} current="triggers" title="Triggers" description={description}>
      <TriggersClient
        project={id}
        access={access}
        triggers={triggers.map((each) => ({ ...each, message: wellFormed(each.message), now }))}
        labels={labels.map(({ label }) => label)}
        revisions={revisions.map(({ number }) => number)}
        publicUrl={publicAddress()?.origin}
      />
    </ProjectPage>
  );
}
