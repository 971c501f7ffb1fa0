'use client';

import { GitCompareArrows } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { approvalServices, startFault } from '@/app/approval-services';
import { callAction } from '@/app/call-action';
import { AccessContext } from '@/components/access/access-context';
import { ChooseRun } from '@/components/compare/choose-run';
import { type CompareLink, compareHref } from '@/components/compare/compare-link';
import { CompareView } from '@/components/compare/compare-view';
import { Page } from '@/components/shell/page';
import { buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import type { ProjectAccess } from '@/lib/base/project-access';
import type { RunInfo } from '@/lib/client/run-info';
import { startBeside } from './actions';

/** A run, and what the person may do in its project. */
export interface OpenedRun {
  readonly run: RunInfo;
  readonly access: ProjectAccess;
}

export interface CompareClientProps {
  /** `undefined` for a run that the address does not name, or that is not there. */
  readonly a: OpenedRun | undefined;
  readonly b: OpenedRun | undefined;
  readonly link: CompareLink;
}

export function CompareClient({ a: openedA, b: openedB, link }: CompareClientProps) {
  const [a, b] = [openedA?.run, openedB?.run];
  const router = useRouter();
  const [choosing, setChoosing] = useState<'a' | 'b' | undefined>(undefined);
  const kept = a ?? b;
  const project = kept?.projectId ?? '';
  const approval = useMemo(() => approvalServices(project), [project]);
  if (kept === undefined) return <NoRun />;
  const [beside, side] = a === undefined || choosing === 'a' ? ([b ?? kept, 'a'] as const) : ([a, 'b'] as const);
  const go = (run: string) => {
    setChoosing(undefined);
    router.push(side === 'a' ? compareHref(run, beside.id) : compareHref(beside.id, run));
  };
  const start = async (files: string | undefined) => {
    const started = await callAction(() => startBeside({ of: beside.id, ...(files !== undefined && { files }) }));
    if (!started.ok) return startFault(started);
    go(started.value.runId);
    return undefined;
  };
  const access = (beside === a ? openedA : openedB)?.access;
  const chooser = <ChooseRun beside={beside} onChoose={go} onStart={start} approval={approval} />;
  const choices = access === undefined ? chooser : <AccessContext value={access}>{chooser}</AccessContext>;
  if (a === undefined || b === undefined) {
    return (
      <Page
        title="Compare runs"
        description={
          <>
            Choose what to compare with{' '}
            <Link href={`/r/${kept.id}`} className="text-accent underline underline-offset-2">
              {kept.entryAgent ?? 'the run'}
            </Link>
            : {kept.message.slice(0, 120)}
          </>
        }
      >
        {choices}
      </Page>
    );
  }
  return (
    <>
      <CompareView a={a} b={b} link={link} onGo={(search) => router.push(`/compare${search}`)} onChoose={setChoosing} />
      <Dialog
        open={choosing !== undefined}
        onOpenChange={(open) => {
          if (!open) setChoosing(undefined);
        }}
        title={`Choose another run for ${side.toUpperCase()}`}
        width="lg"
      >
        {choices}
      </Dialog>
    </>
  );
}

function NoRun() {
  return (
    <EmptyState
      icon={<GitCompareArrows aria-hidden />}
      title="No run to compare"
      heading="h1"
      action={
        <Link href="/runs" className={buttonClass('primary')}>
          Choose two runs
        </Link>
      }
    >
      The link names no run, or its runs were deleted. Select two runs in the list to compare them.
    </EmptyState>
  );
}
