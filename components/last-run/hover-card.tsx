'use client';

import { type RefObject, useEffect, useState } from 'react';
import { useRun } from '@/components/editor-state/run-context';
import { later } from '@/components/ui/later';
import type { LastCallProps, Part } from './last-call-card';

export const LastCallCard = later(async () => (await import('./last-call-card')).LastCallCard, null);

/** So long the pointer rests on a part before its card shows, in milliseconds. */
const restMs = 450;

/** What the pointer rests on, and where. */
type Rest = Pick<LastCallProps, 'part' | 'at'>;

/**
 * Shows the last call of what the pointer rests on: a small form of the tab *Last run*. It takes no pointer itself, and it is gone as
 * soon as somebody presses a button or a key, or turns the wheel.
 */
export function HoverCard({ frame }: { readonly frame: RefObject<HTMLElement | null> }) {
  const runId = useRun((state) => state.runId);
  const [shown, setShown] = useState<Rest>();
  useEffect(() => {
    const box = frame.current;
    if (runId === undefined || box === null) return;
    return watchRest(box, setShown);
  }, [frame, runId]);
  if (shown === undefined || runId === undefined) return null;
  return <LastCallCard runId={runId} {...shown} frame={frame.current?.getBoundingClientRect()} />;
}

/** Tells where the pointer rests, and when it no longer does. Returns a function that ends it. */
function watchRest(box: HTMLElement, tell: (shown: Rest | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let key: string | undefined;
  let at: Rest['at'] = { x: 0, y: 0 };
  const forget = () => {
    clearTimeout(timer);
    key = undefined;
    tell(undefined);
  };
  const onMove = (event: PointerEvent) => {
    at = { x: event.clientX, y: event.clientY };
    if (event.buttons !== 0 || event.pointerType === 'touch') return;
    const part = partAt(event.target);
    const next = part === undefined ? undefined : JSON.stringify(part);
    if (next === key) return;
    forget();
    key = next;
    if (part !== undefined) timer = setTimeout(() => tell({ part, at }), restMs);
  };
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  box.addEventListener('pointermove', onMove, options);
  box.addEventListener('pointerleave', forget, options);
  box.addEventListener('wheel', forget, { ...options, capture: true });
  box.addEventListener('pointerdown', forget, { ...options, capture: true });
  window.addEventListener('keydown', forget, { ...options, capture: true });
  return () => {
    stop.abort();
    forget();
  };
}

/** Returns the part of the canvas that an element belongs to. A handle is there to be dragged, so it has no card. */
function partAt(target: EventTarget | null): Part | undefined {
  if (!(target instanceof Element) || target.closest('.react-flow__handle, input, textarea') !== null) return undefined;
  const node = target.closest('.react-flow__node')?.getAttribute('data-id');
  if (node != null) return { node, hook: target.closest('[data-bead]')?.getAttribute('data-bead') ?? undefined };
  const edge = target.closest('.react-flow__edge')?.getAttribute('data-id');
  return edge == null ? undefined : { edge };
}
