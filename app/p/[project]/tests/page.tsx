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
import { readFixtures } from '@/lib/server/fixtures';
import { readAccess } from '@/lib/server/project-access';
import { TestsClient } from './tests-client';

export const metadata: Metadata = { title: 'Tests' };

interface TestsPageProps {
  readonly params: Promise<{ readonly project: string }>;
}

async function open(actor: Actor, project: string) {
  try {
    const id = projectId({ project });
    const [read, access] = await Promise.all([readFixtures(actor, id), readAccess(actor, id)]);
    return { id, access, ...read };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** The tests of a project, and what they found on the draft and on earlier files. */
export default async function TestsPage({ params }: TestsPageProps) {
  const actor = await pageActor();
  const found = await open(actor, (await params).project);
  const { id, access, projectName, treeHash, fixtures, results, revisions, reasons } = found;
  const description = (
    <>
      Runs of{' '}
      <Link href={`/p/${id}`} className="text-accent underline underline-offset-2">
        <VisibleText text={projectName} />
      </Link>{' '}
      that must stay as they were.
    </>
  );
  return (
    <Page title="Tests" description={description}>
      <TestsClient
        project={id}
        treeHash={treeHash}
        tests={fixtures}
        results={results}
        revisions={revisions}
        reasons={reasons}
        whyNot={whyNot(access, 'run.start')}
      />
    </Page>
  );
}
