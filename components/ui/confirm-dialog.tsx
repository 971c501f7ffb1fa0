'use client';

import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button';
import { useReturnFocus } from './return-focus';
import { VisibleText } from './visible-text';

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Says what is lost and what stays. */
  readonly children: ReactNode;
  /** The verb on the button, such as "Delete project". */
  readonly confirm: string;
  /** What the other button says. */
  readonly cancel?: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot be undone. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const focus = useReturnFocus();
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <AlertDialog.Content
          {...focus}
          className="fixed top-1/2 left-1/2 z-40 w-[calc(100vw-1.5rem)] max-w-md -translate-x-1/2 -translate-y-1/2 rounded-xl border bg-raised shadow-pop outline-none"
        >
          <div className="px-5 pt-4 pb-4">
            <AlertDialog.Title className="font-semibold text-ink text-lg">
              <VisibleText text={props.title} />
            </AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className="mt-1 text-muted text-sm">{props.children}</div>
            </AlertDialog.Description>
          </div>
          <footer className="flex justify-end gap-2 border-t px-5 py-3">
            <AlertDialog.Cancel asChild>
              <Button>{props.cancel ?? 'Cancel'}</Button>
            </AlertDialog.Cancel>
            <Button variant="danger" busy={props.busy} onClick={props.onConfirm}>
              {props.confirm}
            </Button>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
