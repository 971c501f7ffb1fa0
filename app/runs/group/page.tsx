import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { pageActor } from '@/app/page-actor';
import type { Query } from '@/app/runs/open-runs';
import { RunGroupView } from '@/components/history/run-group-view';
import { brandAs, type CorrelationId } from '@/lib/base/ids';
import { readRunGroup } from '@/lib/server/run-lists';
import { isCorrelationId } from '@/lib/trace/run-group';

export const metadata: Metadata = { title: 'Runs of a correlation id' };

interface RunGroupPageProps {
  readonly searchParams: Promise<Query>;
}

/** Shows the runs of a correlation id on one axis. `run` is the run from which somebody comes. */
export default async function RunGroupPage({ searchParams }: RunGroupPageProps) {
  const actor = await pageActor();
  const { id, run } = await searchParams;
  if (typeof id !== 'string' || !isCorrelationId(id)) notFound();
  const group = await readRunGroup(actor, brandAs<CorrelationId>(id));
  return <RunGroupView group={group} run={typeof run === 'string' ? run : undefined} readAt={Date.now()} />;
}
