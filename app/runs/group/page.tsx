import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { pageActor } from '@/app/page-actor';
import type { Query } from '@/app/runs/open-runs';
import { RunGroupView } from '@/components/history/run-group-view';
import { brandAs, type CorrelationId } from '@/lib/base/ids';
import { readRunGroup } from '@/lib/server/run-lists';

export const metadata: Metadata = { title: 'Runs of a correlation id' };

interface RunGroupPageProps {
  readonly searchParams: Promise<Query>;
}

/** The longest correlation id that a run may have. */
const longestId = 200;

/** Shows the runs of a correlation id on one axis. `run` is the run from which somebody comes. */
export default async function RunGroupPage({ searchParams }: RunGroupPageProps) {
  const actor = await pageActor();
  const { id, run } = await searchParams;
  if (typeof id !== 'string' || id === '' || id.length > longestId) notFound();
  const group = await readRunGroup(actor, brandAs<CorrelationId>(id));
  return <RunGroupView group={group} run={typeof run === 'string' ? run : undefined} readAt={Date.now()} />;
}
