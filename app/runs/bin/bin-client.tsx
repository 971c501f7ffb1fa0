'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { unwrapAction } from '@/app/call-action';
import { deleteBinned, restoreDeleted } from '@/app/runs/actions';
import { RunBin } from '@/components/history/run-bin';
import { whileMore } from '@/components/history/while-more';
import { Page } from '@/components/shell/page';
import { buttonClass } from '@/components/ui/button';
import { readBin } from '@/lib/client/run-bin';

const readMs = 15_000;

export function BinClient() {
  const { data, error, refetch } = useQuery({
    queryKey: ['run-bin'],
    queryFn: () => readBin(),
    refetchInterval: readMs,
    retry: false,
  });
  const done = async (work: Promise<number>) => {
    try {
      return await work;
    } finally {
      await refetch();
    }
  };
  const restore = (id: string) =>
    whileMore(
      () => unwrapAction(() => restoreDeleted({ deletions: [id] })),
      ({ restored }) => restored,
    );
  const remove = (id: string) =>
    whileMore(
      () => unwrapAction(() => deleteBinned({ deletions: [id] })),
      ({ deleted }) => deleted,
    );
  return (
    <Page
      title="Bin"
      description="Runs that somebody deleted. They can be restored for 24 hours."
      actions={
        <Link href="/runs" className={buttonClass()}>
          All runs
        </Link>
      }
    >
      {error !== null && (
        <p role="status" className="mb-3 rounded border border-warn bg-warn-soft px-3 py-2 text-sm text-warn">
          {error.message}
        </p>
      )}
      {data !== undefined && (
        <RunBin bin={data} onRestore={(id) => done(restore(id))} onDelete={(id) => done(remove(id))} />
      )}
    </Page>
  );
}
