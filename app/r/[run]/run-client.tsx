'use client';

import type { RunInfo } from '@/components/run/run-info';
import { RunView } from '@/components/run/run-view';
import type { RunLink } from '@/components/run/use-selection';

export interface RunClientProps {
  readonly run: RunInfo;
  readonly link: RunLink;
}

export function RunClient({ run, link }: RunClientProps) {
  return <RunView run={run} link={link} onStop={() => stopRun(run.id)} />;
}

async function stopRun(id: string): Promise<string | undefined> {
  try {
    const response = await fetch(`/api/v1/runs/${id}/stop`, { method: 'POST' });
    if (response.ok) return undefined;
    const body: { error?: { message?: string } } = await response.json();
    return body.error?.message ?? 'The run could not be stopped. Try again.';
  } catch {
    return 'The server cannot be reached. Try again in a moment.';
  }
}
