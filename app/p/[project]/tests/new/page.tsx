import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { runId } from '@/app/api/run-id';
import { pageActor } from '@/app/page-actor';
import { ProjectPage } from '@/components/project-bar/project-page';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { whyNot } from '@/lib/base/project-access';
import { suggestFixture } from '@/lib/server/fixtures';
import { readAccess } from '@/lib/server/project-access';
import { describeProject } from '@/lib/server/projects';
import { NewTestClient } from './new-test-client';

export const metadata: Metadata = { title: 'Save as test' };

interface NewTestPageProps {
  readonly params: Promise<{ readonly project: string }>;
  readonly searchParams: Promise<{ readonly run?: string | string[] }>;
}

async function open(actor: Actor, project: string, run: string | string[] | undefined) {
  if (typeof run !== 'string') notFound();
  try {
    const id = projectId({ project });
    const ofRun = runId({ run });
    const [{ name }, suggestion, access] = await Promise.all([
      describeProject(actor, id),
      suggestFixture(actor, id, ofRun),
      readAccess(actor, id),
    ]);
    return { id, name, run: ofRun, suggestion, access };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** Saves a run as a test of its project. */
export default async function NewTestPage({ params, searchParams }: NewTestPageProps) {
  const actor = await pageActor();
  const { id, name, run, suggestion, access } = await open(actor, (await params).project, (await searchParams).run);
  const description = (
    <>
      The answers of models, servers and people in{' '}
      <Link href={`/r/${run}`} className="text-accent underline underline-offset-2">
        this run
      </Link>{' '}
      are recorded. The test runs again without them, with the hooks and functions of the draft.
    </>
  );
  return (
    <ProjectPage project={{ id, name }} access={access} current="tests" title="Save as test" description={description}>
      <NewTestClient project={id} run={run} {...suggestion} whyNot={whyNot(access, 'project.edit')} />
    </ProjectPage>
  );
}
