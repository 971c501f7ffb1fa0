'use client';

import { Tooltip as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Keys } from './kbd';

export interface TooltipBubbleProps {
  /** The place of the control in the viewport. */
  readonly around: DOMRect;
  readonly text: ReactNode;
  readonly keys: string | undefined;
  readonly side: 'top' | 'right' | 'bottom' | 'left';
  readonly onClose: () => void;
}

/** Shows the words beside a control, inside the window. Escape and scrolling close it. */
export function TooltipBubble({ around, text, keys, side, onClose }: TooltipBubbleProps) {
  const { left, top, width, height } = around;
  return createPortal(
    <Primitive.Provider>
      <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
        <Primitive.Trigger asChild>
          <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
        </Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="pointer-events-none z-50 flex max-w-72 items-center gap-2 rounded border bg-raised px-2 py-1 text-ink text-xs shadow-pop"
          >
            {text}
            {keys && <Keys keys={keys} />}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>,
    document.body,
  );
}
