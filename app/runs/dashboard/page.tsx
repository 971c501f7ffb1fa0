import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { dashboardQuery } from '@/app/dashboard-query';
import { pageActor } from '@/app/page-actor';
import { partsOf, type Query } from '@/app/runs/open-runs';
import { DashboardView } from '@/components/history/dashboard-view';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { readDashboard } from '@/lib/server/dashboard';
import { describeProject } from '@/lib/server/projects';

export const metadata: Metadata = { title: 'Dashboard' };

interface DashboardPageProps {
  readonly searchParams: Promise<Query>;
}

/** Shows the figures of many runs over time. If the address names no known range, the range is the usual one. */
export default async function DashboardPage({ searchParams }: DashboardPageProps) {
  const actor = await pageActor();
  const asked = dashboardQuery.safeParse(Object.fromEntries(partsOf(await searchParams)));
  const query = asked.success ? asked.data : dashboardQuery.parse({});
  const project = query.project === undefined ? undefined : await findProject(actor, query.project);
  const dashboard = await readDashboard(actor, query, Date.now());
  return <DashboardView dashboard={dashboard} project={project} />;
}

async function findProject(actor: Actor, asked: string) {
  try {
    const id = projectId({ project: asked });
    return { id, name: (await describeProject(actor, id)).name };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}
