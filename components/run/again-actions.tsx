'use client';

import { FastForward, Pin, Repeat } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { childrenOf } from '@/components/timeline/walk';
import { Button } from '@/components/ui/button';
import type { Trace } from '@/lib/trace/trace';
import type { AgainServices } from './again-services';

const FromDialog = lazy(async () => ({ default: (await import('./from-dialog')).FromDialog }));
const InstanceDialog = lazy(async () => ({ default: (await import('./instance-dialog')).InstanceDialog }));
const PinDialog = lazy(async () => ({ default: (await import('./pin-dialog')).PinDialog }));

export interface AgainActionsProps {
  readonly trace: Trace;
  readonly span: number;
  readonly projectId: string;
  readonly services: AgainServices;
}

/** Buttons that run the selected step, or its instance, again, and that pin the result of a call. */
export function AgainActions({ trace, span, projectId, services }: AgainActionsProps) {
  const [shown, setShown] = useState<'from' | 'instance' | 'pin' | undefined>(undefined);
  const { spans, run } = trace;
  const kind = spans.kindOf(span);
  const seq = spans.startSeq.at(span);
  const path = instanceOf(trace, span);
  const isAnsweredCall = kind === 'tool' && spans.endSeq.at(span) > 0;
  const dialog = { runId: run.runId, services, onClose: () => setShown(undefined) };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" icon={<FastForward aria-hidden className="size-3.5" />} onClick={() => setShown('from')}>
        Run again from here
      </Button>
      {path !== undefined && (
        <Button size="sm" icon={<Repeat aria-hidden className="size-3.5" />} onClick={() => setShown('instance')}>
          Run this instance again
        </Button>
      )}
      {isAnsweredCall && (
        <Button size="sm" icon={<Pin aria-hidden className="size-3.5" />} onClick={() => setShown('pin')}>
          Pin result
        </Button>
      )}
      <Suspense fallback={null}>
        {shown === 'from' && <FromDialog {...dialog} at={seq} />}
        {shown === 'instance' && path !== undefined && <InstanceDialog {...dialog} path={path} />}
        {shown === 'pin' && <PinDialog {...dialog} projectId={projectId} seq={seq} />}
      </Suspense>
    </div>
  );
}

/** Returns the instance that the selection is or made, if it is the child of another one. */
function instanceOf(trace: Trace, span: number): string | undefined {
  const { spans, lanes } = trace;
  const kind = spans.kindOf(span);
  const lane = lanes[spans.lane.at(span)];
  if (kind === 'instance' || kind === 'queued') return lane?.parent === undefined ? undefined : lane.path;
  return spans.sourceOf(span) === 'agent' ? childrenOf(trace, span)[0]?.path : undefined;
}
