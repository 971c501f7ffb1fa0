import { CornerDownRight } from 'lucide-react';
import type { MouseEvent } from 'react';
import { InstanceName } from '@/components/timeline/instance-name';
import { Badge } from '@/components/ui/badge';
import { classNames } from '@/components/ui/class-names';
import { runPage } from '@/lib/client/run-address';
import type { Lane, Trace } from '@/lib/trace/trace';

/** Says in words that a call, or something that an instance wrote, belongs to a delegation. */
export function DelegationBadge() {
  return (
    <Badge tone="agent" className="!h-4 shrink-0" icon={<CornerDownRight aria-hidden />}>
      Delegation
    </Badge>
  );
}

export interface InstanceLinkProps {
  readonly trace: Trace;
  readonly lane: Lane;
  readonly onSelect: (span: number) => void;
  /** `path` shows where the instance is in the run; `name` shows only its name. */
  readonly look: 'name' | 'path';
  readonly className?: string;
}

/** Selects an instance. It is a link, so that it can be copied, or opened in a new tab. */
export function InstanceLink({ trace, lane, onSelect, look, className }: InstanceLinkProps) {
  const select = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onSelect(lane.span);
  };
  return (
    <a
      href={`${runPage(trace.run.runId)}?span=${trace.spans.startSeq.at(lane.span)}`}
      title={`Open ${lane.path}`}
      onClick={select}
      className={classNames(
        'inline-flex min-w-0 text-accent underline-offset-2 hover:underline [&_span]:text-accent',
        className,
      )}
    >
      {look === 'path' ? <span className="truncate">{lane.path}</span> : <InstanceName name={lane.instanceName} />}
    </a>
  );
}
