import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
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
  const description = 'Runs that must stay as they were.';
  return (
    <ProjectPage
      project={{ id, name: projectName }}
      access={access}
      current="tests"
      title="Tests"
      description={description}
    >
      <TestsClient
        project={id}
        treeHash={treeHash}
        tests={fixtures}
        results={results}
        revisions={revisions}
        reasons={reasons}
        whyNot={whyNot(access, 'run.start')}
      />
    </ProjectPage>
  );
}
