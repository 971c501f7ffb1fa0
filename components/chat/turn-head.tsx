import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import { StatusLabel } from '@/components/ui/status';
import type { RunState } from '@/lib/trace/run-state';
import { formatDuration } from '@/lib/trace/wording';

/** Says who answers, how far it is and how long it took. `time` is in microseconds. */
export function TurnHead(props: {
  readonly agent: string;
  readonly status: RunState;
  readonly runId: string;
  readonly time: number | undefined;
}) {
  const { agent, status, runId, time } = props;
  return (
    <header className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-muted text-xs">
      <span className="min-w-0 truncate font-medium text-ink text-sm">{agent}</span>
      <StatusLabel status={status} look={status === 'completed' ? 'icon' : 'plain'} />
      {time !== undefined && <span className="tabular-nums">{formatDuration(time)}</span>}
      <span className="flex-1" />
      <Link
        href={`/r/${runId}`}
        aria-label="Open run"
        className="inline-flex items-center gap-1 rounded-sm text-muted underline-offset-2 hover:text-accent hover:underline"
      >
        <ExternalLink aria-hidden className="size-3.5" />
        Run
      </Link>
    </header>
  );
}
