import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { pageActor } from '@/app/page-actor';
import { openRuns, partsOf, type Query } from '@/app/runs/open-runs';
import { RunsClient } from '@/app/runs/runs-client';
import { QueryProvider } from '@/components/shell/query-provider';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { decide } from '@/lib/base/rights';
import { readAccess } from '@/lib/server/project-access';
import { describeProject } from '@/lib/server/projects';

export const metadata: Metadata = { title: 'Runs' };

interface ProjectRunsPageProps {
  readonly params: Promise<{ readonly project: string }>;
  readonly searchParams: Promise<Query>;
}

async function open(actor: Actor, project: string) {
  try {
    const id = projectId({ project });
    const [{ name }, access] = await Promise.all([describeProject(actor, id), readAccess(actor, id)]);
    return { id, name, access };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}

/** The runs of one project. It is the list of all runs with a filter that cannot be taken away. */
export default async function ProjectRunsPage({ params, searchParams }: ProjectRunsPageProps) {
  const actor = await pageActor();
  const { id, name, access } = await open(actor, (await params).project);
  const filter = partsOf(await searchParams).filter(([part]) => !/^project(\.|$)/.test(part));
  const list = await openRuns(actor, [['project', id], ...filter]);
  return (
    <QueryProvider>
      <RunsClient
        key={id}
        {...list}
        imports={false}
        deletes={decide(actor.reach, 'run.delete', id) === 'allowed'}
        of={{ project: { id, name }, access }}
      />
    </QueryProvider>
  );
}
