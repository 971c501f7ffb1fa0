import type { Status } from '@/components/ui/status';
import type { SpanStatus } from '@/lib/trace/span';
import type { Lane, Trace } from '@/lib/trace/trace';

/** Returns the status that spans and runs share, so that both have the same word and icon. */
export function statusOf(trace: Trace, span: number): Status {
  const status = shownStatus(trace.spans.statusOf(span));
  if (status !== 'running') return status;
  const kind = trace.spans.kindOf(span);
  return kind === 'queued' ? 'queued' : kind === 'waiting' ? 'suspended' : status;
}

/** Returns the status of an instance. `isAsking`: a step of it waits for a person. */
export function laneStatus(lane: Pick<Lane, 'state' | 'status'>, isAsking: boolean): Status {
  if (lane.state === 'queued') return 'queued';
  return isAsking && lane.status === 'open' ? 'suspended' : shownStatus(lane.status);
}

export function shownStatus(status: SpanStatus): Status {
  switch (status) {
    case 'open':
      return 'running';
    case 'ok':
      return 'completed';
    case 'error':
      return 'failed';
    case 'interrupted':
      return 'lost';
    case 'cancelled':
    case 'timeout':
      return status;
  }
}
