'use client';

import type { ReactNode } from 'react';
import { usePartUses, usePartUsesActions } from '@/components/editor-state/part-uses-context';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { VisibleText } from '@/components/ui/visible-text';
import type { GuardedChange } from '@/lib/editor/part-uses';

/** Says what else needs a part before it is deleted or renamed. The person may go on while this is still read. */
export function GuardQuestion() {
  const asked = usePartUses((state) => state.asked);
  const { answer } = usePartUsesActions();
  const atOnce = asked?.isLate === true ? undefined : asked;
  return (
    <>
      <ConfirmDialog
        open={atOnce !== undefined}
        onOpenChange={(open) => !open && answer(false)}
        title={`${atOnce?.label ?? ''}?`}
        confirm={atOnce?.label ?? ''}
        onConfirm={() => answer(true)}
      >
        {atOnce === undefined ? null : <Reasons asked={atOnce} />}
      </ConfirmDialog>
      {asked?.isLate === true ? (
        <LateQuestion asked={asked} answer={answer}>
          <Reasons asked={asked} />
        </LateQuestion>
      ) : null}
    </>
  );
}

function Reasons({ asked }: { readonly asked: GuardedChange }) {
  if (asked.isReading) return <p>Looking where it is used…</p>;
  return (
    <ul className="flex flex-col gap-1">
      {asked.sentences.map((sentence) => (
        <li key={sentence} className="break-words">
          <VisibleText text={sentence} />
        </li>
      ))}
    </ul>
  );
}

/** The same question without a dialog: what is typed meanwhile stays where it is typed. */
function LateQuestion(props: {
  readonly asked: GuardedChange;
  readonly answer: (isWanted: boolean) => void;
  readonly children: ReactNode;
}) {
  const { asked, answer, children } = props;
  const title = `${asked.label}?`;
  return (
    <section
      role="alertdialog"
      aria-modal={false}
      aria-label={title}
      className="fixed inset-x-3 bottom-3 z-40 mx-auto max-w-md rounded-xl border bg-raised shadow-pop"
    >
      <div role="status" className="px-4 pt-3 pb-3">
        <h2 className="font-semibold text-ink">
          <VisibleText text={title} />
        </h2>
        <div className="mt-1 text-muted text-sm">{children}</div>
      </div>
      <footer className="flex justify-end gap-2 border-t px-4 py-2.5">
        <Button size="sm" onClick={() => answer(false)}>
          Cancel
        </Button>
        <Button size="sm" variant="danger" onClick={() => answer(true)}>
          {asked.label}
        </Button>
      </footer>
    </section>
  );
}
