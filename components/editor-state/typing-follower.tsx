'use client';

import { type ReactNode, useState } from 'react';
import { whenIdle } from '@/components/ui/when-idle';
import { followTyping } from '@/lib/editor/follow-typing';
import { ShownContext, useProjectStore } from './project-context';

/**
 * Lets a part of the page follow a key after the canvas has been painted. It must show typed text from a state of its own, as
 * `DraftInput` does. CodeMirror, which takes the text of the document, needs the newest state (`NewestState`).
 */
export function TypingFollower({ children }: { readonly children: ReactNode }) {
  const { store } = useProjectStore();
  const [shown] = useState(() => followTyping(store, afterPaint));
  return <ShownContext value={shown}>{children}</ShownContext>;
}

/** Shows the newest state again inside a `TypingFollower`. */
export function NewestState({ children }: { readonly children: ReactNode }) {
  return <ShownContext value={undefined}>{children}</ShownContext>;
}

/** The work is done after this time even if the browser is busy, or the tab is hidden and has no frames. */
const longestMs = 200;

/**
 * Runs `work` once, when the frame is painted and the browser has nothing else to do: a timer would run before the next key and
 * before messages that already wait. A field that loses the focus does not wait, because the next one may edit the same list.
 */
function afterPaint(work: () => void): void {
  const stops: (() => void)[] = [];
  const run = () => {
    for (const stop of stops.splice(0)) stop();
    work();
  };
  const timer = setTimeout(run, longestMs);
  stops.push(() => clearTimeout(timer));
  document.addEventListener('focusout', run);
  stops.push(() => document.removeEventListener('focusout', run));
  const frame = requestAnimationFrame(() => stops.push(whenIdle(run)));
  stops.push(() => cancelAnimationFrame(frame));
}
