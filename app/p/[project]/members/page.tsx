import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { Page } from '@/components/shell/page';
import { VisibleText } from '@/components/ui/visible-text';
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
  const description = (
    <>
      Who works on{' '}
      <Link href={`/p/${id}`} className="text-accent underline underline-offset-2">
        <VisibleText text={name} />
      </Link>
      , and what they may do there.
    </>
  );
  if (!access.accounts) {
    return (
      <Page title="Members" description={description}>
        <p className="max-w-3xl text-muted text-sm">
          This installation has no accounts: whoever can open it is the same person and may do everything. With{' '}
          <code className="font-mono text-xs">CALLBOARD_ACCOUNTS=1</code> people sign in, and have roles in projects.
        </p>
      </Page>
    );
  }
  const { reach } = actor;
  return (
    <Page title="Members" description={description}>
      <MembersClient
        project={id}
        {...people}
        whyNot={whyNot(access, 'project.members')}
        self={reach !== 'all' && reach.kind === 'person' ? reach.userId : ''}
      />
    </Page>
  );
}
