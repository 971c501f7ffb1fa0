'use client';

import { later } from '@/components/ui/later';
import type { Trace } from '@/lib/trace/trace';
import { againChoices } from './again-choices';
import type { AgainServices } from './again-services';

const FromDialog = later(async () => (await import('./from-dialog')).FromDialog, null);
const InstanceDialog = later(async () => (await import('./instance-dialog')).InstanceDialog, null);
const PinDialog = later(async () => (await import('./pin-dialog')).PinDialog, null);

export type AgainDialogName = 'from' | 'instance' | 'pin';

export interface AgainDialogProps {
  readonly dialog: AgainDialogName;
  readonly trace: Trace;
  readonly span: number;
  readonly projectId: string;
  readonly services: AgainServices;
  readonly onClose: () => void;
}

/** The dialog that runs a step or an instance again, or pins a result. Its code is loaded when it opens. */
export function AgainDialog({ dialog, trace, span, projectId, services, onClose }: AgainDialogProps) {
  const { path } = againChoices(trace, span);
  const seq = trace.spans.startSeq.at(span);
  const props = { runId: trace.run.runId, services, onClose };
  return (
    <>
      {dialog === 'from' && <FromDialog {...props} at={seq} />}
      {dialog === 'instance' && path !== undefined && <InstanceDialog {...props} path={path} />}
      {dialog === 'pin' && <PinDialog {...props} projectId={projectId} seq={seq} />}
    </>
  );
}
