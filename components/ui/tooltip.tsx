'use client';

import { Tooltip as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { Keys } from './kbd';

export interface TooltipProps {
  readonly text: ReactNode;
  readonly keys?: string;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that can take focus. */
  readonly children: ReactNode;
}

/** Says what a control does. Never the only place of something needed. Lives under the shell's TooltipProvider. */
export function Tooltip({ text, keys, side = 'top', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 items-center gap-2 rounded border bg-raised px-2 py-1 text-ink text-xs shadow-pop"
        >
          {text}
          {keys && <Keys keys={keys} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={350} skipDelayDuration={150}>
      {children}
    </Primitive.Provider>
  );
}
