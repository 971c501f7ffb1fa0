import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { preload } from 'react-dom';
import { runId } from '@/app/api/run-id';
import { pageActor } from '@/app/page-actor';
import { toRunInfo } from '@/app/run-info';
import { linkNames, type RunLink } from '@/components/run/run-link';
import { AppError } from '@/lib/base/app-error';
import { escapeHidden } from '@/lib/base/escape-hidden';
import { timelineAddress } from '@/lib/client/run-address';
import { readAccess } from '@/lib/server/project-access';
import { getRun } from '@/lib/server/runs';
import { listScores } from '@/lib/server/scores';
import { ownSource } from '@/lib/trace/run-source';
import { pageUnits } from '@/lib/trace/text-pages';
import { RunClient } from './run-client';

interface RunPageProps {
  readonly params: Promise<{ readonly run: string }>;
  readonly searchParams: Promise<{ readonly [Name in keyof RunLink]: string | string[] }>;
}

const open = cache(async (run: string) => {
  try {
    return await getRun(await pageActor(), runId({ run }), pageUnits);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  const { entryAgent, projectName } = await open((await params).run);
  return { title: escapeHidden(`${entryAgent ?? 'Run'} · ${projectName}`) };
}

export default async function RunPage({ params, searchParams }: RunPageProps) {
  const run = await open((await params).run);
  const asked = await searchParams;
  const link: RunLink = Object.fromEntries(linkNames.map((name) => [name, one(asked[name])]));
  // The browser fetches the bars while it loads the scripts that draw them.
  const allSpans = link.all === '1' && run.source !== ownSource;
  preload(timelineAddress(run.id, allSpans), { as: 'fetch', crossOrigin: 'anonymous' });
  const actor = await pageActor();
  const [access, scores] = await Promise.all([readAccess(actor, run.projectId), listScores(actor, run.id)]);
  return <RunClient key={run.id} run={toRunInfo(run)} link={link} scores={scores} me={actor.by} access={access} />;
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
