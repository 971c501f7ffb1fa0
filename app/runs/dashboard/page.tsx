import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { projectId } from '@/app/api/project-id';
import { dashboardQuery } from '@/app/dashboard-query';
import { pageActor } from '@/app/page-actor';
import { partsOf, type Query } from '@/app/runs/open-runs';
import { alertsAtOnce } from '@/components/history/alerts-at-once';
import { DashboardView } from '@/components/history/dashboard-view';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { scopeFor } from '@/lib/base/rights';
import { readAlerts } from '@/lib/server/alerts';
import { readDashboard } from '@/lib/server/dashboard';
import { describeProject, listProjectNames } from '@/lib/server/projects';
import { AlertsClient } from './alerts-client';

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
  const [dashboard, alerts] = await Promise.all([readDashboard(actor, query, Date.now()), alertsOf(actor, project)]);
  return (
    <DashboardView dashboard={dashboard} project={project} alerts={<AlertsClient key={project?.id} {...alerts} />} />
  );
}

const mostProjects = 200;

/** Reads the alerts, and where the actor may make others. */
async function alertsOf(actor: Actor, project: { readonly id: ProjectId; readonly name: string } | undefined) {
  const changeable = scopeFor(actor.reach, 'settings.change');
  const [first, { projects }] = await Promise.all([
    readAlerts(actor, { project: project?.id, limit: alertsAtOnce }),
    listProjectNames(actor, { limit: mostProjects, action: 'settings.change' }),
  ]);
  const isListed = project === undefined || projects.some(({ id }) => id === project.id);
  const isMine = project !== undefined && (changeable === 'all' || changeable.includes(project.id));
  return {
    ...{ first, project: project?.id, mayAll: changeable === 'all' },
    projects: isListed || !isMine ? projects : [project, ...projects],
  };
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
