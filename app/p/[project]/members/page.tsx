import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { whyNot } from '@/lib/base/project-access';
import { readMembers } from '@/lib/server/accounts/project-members';
import { readAccess } from '@/lib/server/project-access';
import { MembersClient } from './members-client';

export const metadata: Metadata = { title: 'Members' };

interface MembersPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

async function open(actor: Actor, project: string) {
  try {
    const id = projectId({ project });
    const [{ name, ...people }, access] = await Promise.all([readMembers(actor, id), readAccess(actor, id)]);
    return { id, name, people, access };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** Who works on a project. Without accounts the page says that there is one person. */
export default async function MembersPage({ params }: MembersPageProps) {
  const actor = await pageActor();
  const { id, name, people, access } = await open(actor, (await params).project);
  const description = 'Who works on the project, and what they may do there.';
  if (!access.accounts) {
    return (
      <ProjectPage project={{ id, name }} access={access} current={undefined} title="Members" description={description}>
        <p className="max-w-3xl text-muted text-sm">
          This installation has no accounts: whoever can open it is the same person and may do everything. With{' '}
          <code className="font-mono text-xs">CALLBOARD_ACCOUNTS=1</code> people sign in, and have roles in projects.
        </p>
      </ProjectPage>
    );
  }
  const { reach } = actor;
  return (
    <ProjectPage project={{ id, name }} access={access} current={undefined} title="Members" description={description}>
      <MembersClient
        project={id}
        {...people}
        whyNot={whyNot(access, 'project.members')}
        self={reach !== 'all' && reach.kind === 'person' ? reach.userId : ''}
      />
    </ProjectPage>
  );
}
