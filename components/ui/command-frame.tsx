'use client';

import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { useReturnFocus } from './return-focus';

/** The modal frame of a list with a field above it, which gets the focus. The focus goes back when a person leaves the list without a choice. */
export function CommandFrame(props: {
  readonly title: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
}) {
  const focus = useReturnFocus();
  /** True if the list was left without a choice. */
  const isLeft = useRef(false);
  const leave = () => {
    isLeft.current = true;
  };
  return (
    <Primitive.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-black/30" />
        <Primitive.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            isLeft.current = false;
            focus.onOpenAutoFocus(event);
          }}
          onEscapeKeyDown={leave}
          onInteractOutside={leave}
          onCloseAutoFocus={(event) => {
            // What was opened from the list keeps the focus.
            const taker = document.querySelector('[data-takes-focus]');
            if (taker === null) {
              if (isLeft.current) focus.onCloseAutoFocus(event);
              return;
            }
            event.preventDefault();
            // The list may have taken the focus back while it was still open.
            if (taker instanceof HTMLElement && !taker.contains(document.activeElement)) taker.focus();
            else leaveToPage(event);
          }}
          className="fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-raised shadow-pop outline-none"
        >
          <Primitive.Title className="sr-only">{props.title}</Primitive.Title>
          {props.children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/**
 * After a choice the focus stays with what was opened, or goes to the page. The element that had it before may stand for something else than
 * what was chosen: a node that gets the focus becomes the selection.
 */
function leaveToPage(event: Event) {
  event.preventDefault();
  const now = document.activeElement;
  if (now !== null && now !== document.body && now !== event.target) return;
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Looks of the parts of the list. */
export const commandLooks = {
  field: 'w-full border-b bg-transparent px-4 py-3 text-base text-ink outline-none placeholder:text-faint',
  list: 'max-h-[50vh] scroll-py-1.5 overflow-y-auto p-1.5',
  row: 'flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 text-ink text-sm data-[selected=true]:bg-accent-soft data-[disabled=true]:opacity-50',
  empty: 'px-3 py-6 text-center text-muted text-sm',
  heading:
    '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs',
} as const;
