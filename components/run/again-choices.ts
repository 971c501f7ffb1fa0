import { childrenOf } from '@/components/timeline/walk';
import type { Trace } from '@/lib/trace/trace';

/** What of a selected span can be run again, or pinned. */
export interface AgainChoices {
  /** The instance that the selection is or made, if it is the child of another one. */
  readonly path: string | undefined;
  /** True for a tool call whose result can be pinned. */
  readonly isAnsweredCall: boolean;
}

export function againChoices(trace: Trace, span: number): AgainChoices {
  const { spans } = trace;
  return {
    path: instanceOf(trace, span),
    isAnsweredCall: spans.kindOf(span) === 'tool' && spans.endSeq.at(span) > 0,
  };
}

function instanceOf(trace: Trace, span: number): string | undefined {
  const { spans, lanes } = trace;
  const kind = spans.kindOf(span);
  const lane = lanes[spans.lane.at(span)];
  if (kind === 'instance' || kind === 'queued') return lane?.parent === undefined ? undefined : lane.path;
  return spans.sourceOf(span) === 'agent' ? childrenOf(trace, span)[0]?.path : undefined;
}
