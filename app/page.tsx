import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { projectQuery } from '@/app/project-query';
import { decide } from '@/lib/base/rights';
import { firstModel } from '@/lib/cards/models/first-model';
import { installationFor } from '@/lib/server/installation';
import { listProjects } from '@/lib/server/projects';
import { listTemplates } from '@/lib/server/templates';
import { ProjectsClient } from './projects-client';

// A template of titles does not reach the page beside it.
export const metadata: Metadata = { title: { absolute: 'Projects · Callboard' } };

interface ProjectsPageProps {
  /** `text` is a part of the names to show. */
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Shows the first page of the projects. A text that is not valid filters nothing. */
export default async function ProjectsPage({ searchParams }: ProjectsPageProps) {
  const asked = projectQuery.pick({ text: true, limit: true }).safeParse({ text: (await searchParams).text });
  const query = asked.success ? asked.data : projectQuery.parse({});
  const [env, actor] = [await installationFor(), await pageActor()];
  const [first, samples] = await Promise.all([
    listProjects(actor, query),
    listTemplates({ python: env.python.enabled }),
  ]);
  return (
    <ProjectsClient
      first={first}
      text={query.text ?? ''}
      samples={samples}
      firstModel={firstModel(env.models)}
      accounts={actor.reach !== 'all'}
      makesProjects={decide(actor.reach, 'project.create', null) === 'allowed'}
    />
  );
}
