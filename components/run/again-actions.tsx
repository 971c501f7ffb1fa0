'use client';

import { FastForward, Pin, Repeat } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Button } from '@/components/ui/button';
import type { Trace } from '@/lib/trace/trace';
import { againChoices } from './again-choices';
import { AgainDialog, type AgainDialogName } from './again-dialog';
import type { AgainServices } from './again-services';

export interface AgainActionsProps {
  readonly trace: Trace;
  readonly span: number;
  readonly projectId: string;
  readonly services: AgainServices;
}

/** Buttons that run the selected step, or its instance, again, and that pin the result of a call. */
export function AgainActions({ trace, span, projectId, services }: AgainActionsProps) {
  const [dialog, setDialog] = useState<AgainDialogName | undefined>(undefined);
  const mayEdit = useAccess().rights.includes('edit');
  const { path, isAnsweredCall } = againChoices(trace, span);
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" icon={<FastForward aria-hidden className="size-3.5" />} onClick={() => setDialog('from')}>
        Run again from here
      </Button>
      {path !== undefined && (
        <Button size="sm" icon={<Repeat aria-hidden className="size-3.5" />} onClick={() => setDialog('instance')}>
          Run this instance again
        </Button>
      )}
      {isAnsweredCall && mayEdit && (
        <Button size="sm" icon={<Pin aria-hidden className="size-3.5" />} onClick={() => setDialog('pin')}>
          Pin result
        </Button>
      )}
      {dialog !== undefined && (
        <AgainDialog {...{ dialog, trace, span, projectId, services }} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}
