'use client';

import { useRouter } from 'next/navigation';
import { callAction } from '@/app/call-action';
import type { RunLink } from '@/components/run/run-link';
import { RunView } from '@/components/run/run-view';
import type { RunInfo } from '@/lib/client/run-info';
import { stop } from './actions';

export interface RunClientProps {
  readonly run: RunInfo;
  readonly link: RunLink;
}

export function RunClient({ run, link }: RunClientProps) {
  const router = useRouter();
  return <RunView run={run} link={link} onStop={() => stopRun(run.id)} onReplaced={router.refresh} />;
}

async function stopRun(run: string): Promise<string | undefined> {
  const stopped = await callAction(() => stop({ run }));
  return stopped.ok ? undefined : stopped.message;
}
