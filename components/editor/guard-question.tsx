'use client';

import { usePartUses, usePartUsesActions } from '@/components/editor-state/part-uses-context';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { VisibleText } from '@/components/ui/visible-text';

/** Says what else needs a part before it is deleted or renamed. The person may go on while this is still read. */
export function GuardQuestion() {
  const asked = usePartUses((state) => state.asked);
  const { answer } = usePartUsesActions();
  return (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={(open) => !open && answer(false)}
      title={`${asked?.label ?? ''}?`}
      confirm={asked?.label ?? ''}
      onConfirm={() => answer(true)}
    >
      {asked?.isReading === true ? (
        <p role="status">Looking where it is used…</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {asked?.sentences.map((sentence) => (
            <li key={sentence} className="break-words">
              <VisibleText text={sentence} />
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}
