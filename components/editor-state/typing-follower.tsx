'use client';

import { type ReactNode, useState } from 'react';
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

/** In a hidden tab there are no frames, so that the work is done after this time. */
const longestMs = 200;

function afterPaint(work: () => void): void {
  const timer = setTimeout(work, longestMs);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    setTimeout(work);
  });
}
