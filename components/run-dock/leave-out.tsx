'use client';

import { CircleSlash, X } from 'lucide-react';
import { useState } from 'react';
import { useRunActions } from '@/components/editor-state/run-context';
import { useLeftOutThere } from '@/components/editor-state/use-next-run';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { VisibleText } from '@/components/ui/visible-text';
import { withoutWords } from '@/lib/base/left-out';

const LeaveOutDialog = later(async () => (await import('./leave-out-dialog')).LeaveOutDialog, null);

/** Opens the list of what the next run can do without. */
export function LeaveOut() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="-mx-1.5"
        icon={<CircleSlash aria-hidden className="size-3.5" />}
        onClick={() => setOpen(true)}
      >
        Leave out…
      </Button>
      {isOpen && <LeaveOutDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** Says what the next run does without. */
export function LeftOutLine() {
  const leftOut = useLeftOutThere();
  const actions = useRunActions();
  if (leftOut.length === 0) return null;
  return (
    <div className="-my-1 flex min-w-0 items-center gap-1 text-ink text-xs">
      <span className="min-w-0 truncate" title={withoutWords(leftOut)}>
        <VisibleText text={withoutWords(leftOut)} />
      </span>
      <IconButton
        size="sm"
        label="Leave nothing out"
        icon={<X aria-hidden />}
        onClick={() => actions.set({ leftOut: [] })}
      />
    </div>
  );
}
