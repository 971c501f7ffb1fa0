'use client';

import { Slot } from 'radix-ui';
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { later } from './later';

export interface TooltipProps {
  readonly text: ReactNode;
  readonly keys?: string;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that can take focus. */
  readonly children: ReactNode;
}

/** The bubble is loaded when the first tooltip shows, because the code that places it is larger than some pages. */
const Bubble = later(async () => (await import('./tooltip-bubble')).TooltipBubble, null);

const delayMs = 350;

/**
 * Says what a control does, when the pointer rests on it or the keyboard focuses it. It must never hold the only copy of a
 * fact.
 */
export function Tooltip({ text, keys, side = 'top', children }: TooltipProps) {
  const [around, setAround] = useState<DOMRect>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const close = () => {
    clearTimeout(timer.current);
    setAround(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <>
      <Slot.Root
        onPointerEnter={(event: PointerEvent<HTMLElement>) => {
          if (event.pointerType === 'touch') return;
          const element = event.currentTarget;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setAround(element.getBoundingClientRect()), delayMs);
        }}
        onPointerLeave={close}
        onPointerDown={close}
        onFocus={(event: FocusEvent<HTMLElement>) => {
          if (event.currentTarget.matches(':focus-visible')) setAround(event.currentTarget.getBoundingClientRect());
        }}
        onBlur={close}
      >
        {children}
      </Slot.Root>
      {around !== undefined && <Bubble around={around} text={text} keys={keys} side={side} onClose={close} />}
    </>
  );
}
