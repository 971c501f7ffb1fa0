'use client';

import { CircleCheck, CircleX, Info, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from './class-names';
import { useUncovering } from './use-uncovering';
import { VisibleText } from './visible-text';

export type ToastTone = 'info' | 'ok' | 'bad';

export interface Toast {
  readonly text: string;
  readonly tone?: ToastTone;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

interface Shown extends Toast {
  readonly id: number;
}

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Shown[]) {
  shown = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a message. A failure stays until it is dismissed, other messages for six seconds. On a phone, where it covers what the person
 * looks at, a message that asks for nothing goes with the next press elsewhere. At most four show at once, and a failure that shows
 * already is not shown again.
 */
export function showToast(toast: Toast): void {
  keepToast(toast);
}

/** Works like `showToast`, and returns a function that takes the message away. */
export function keepToast(toast: Toast): () => void {
  const same = shown.find(({ tone, text }) => tone === 'bad' && toast.tone === 'bad' && text === toast.text);
  if (same === undefined) publish([...shown, { ...toast, id: ++lastId }].slice(-4));
  const id = same?.id ?? lastId;
  return () => dismiss(id);
}

function dismiss(id: number) {
  publish(shown.filter((toast) => toast.id !== id));
}

let region: HTMLElement | null = null;

function setRegion(next: HTMLElement | null) {
  region = next;
  publish(shown);
}

const none: readonly Shown[] = [];

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a message of a page among the toasts, so that it moves nothing on the page. */
export function AmongToasts({ children }: { readonly children: ReactNode }) {
  const place = useSyncExternalStore(
    subscribe,
    () => region,
    () => null,
  );
  return place === null ? children : createPortal(children, place);
}

/** Shows the toasts. The shell renders it once. */
export function Toaster() {
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => none,
  );
  const section = useRef<HTMLElement>(null);
  useUncovering(section);
  useEffect(() => {
    setRegion(section.current);
    return () => setRegion(null);
  }, []);
  return (
    <section
      ref={section}
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-3 z-50 flex w-[calc(100vw-1.5rem)] max-w-sm flex-col gap-2"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

const shownMs = 6_000;
/** A press elsewhere leaves a message at least so long, to be read. */
const leastMs = 1_500;

/** Takes a message away after a while. */
function useLeaving({ id, tone, action }: Shown, card: RefObject<HTMLElement | null>): void {
  const hasAction = action !== undefined;
  useEffect(() => {
    if (tone === 'bad') return;
    const since = performance.now();
    const leaveIn = (ms: number) => setTimeout(() => dismiss(id), ms);
    let timer = leaveIn(shownMs);
    const onPress = ({ target }: PointerEvent) => {
      if (hasAction || !isNarrow() || (target instanceof Node && card.current?.contains(target))) return;
      clearTimeout(timer);
      timer = leaveIn(Math.max(0, leastMs - (performance.now() - since)));
    };
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', onPress, true);
    };
  }, [id, tone, hasAction, card]);
}

function isNarrow(): boolean {
  return window.matchMedia('(max-width: 639px)').matches;
}

const icons = { info: Info, ok: CircleCheck, bad: CircleX };
const inks = { info: 'text-muted', ok: 'text-ok', bad: 'text-bad' };

function ToastCard({ toast }: { readonly toast: Shown }) {
  const { id, tone = 'info' } = toast;
  const card = useRef<HTMLDivElement>(null);
  useLeaving(toast, card);
  const Icon = icons[tone];
  const { action } = toast;
  return (
    <div
      ref={card}
      className="pointer-events-auto flex items-start gap-2.5 rounded-lg border bg-raised py-2 pr-2 pl-3 shadow-pop"
    >
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', inks[tone])} />
      <p className="min-w-0 flex-1 break-words text-ink text-sm">
        {tone === 'bad' && <span className="sr-only">Failed: </span>}
        <VisibleText text={toast.text} use="prose" />
      </p>
      {action && (
        <button
          type="button"
          className="shrink-0 cursor-pointer rounded px-1.5 font-medium text-accent text-sm hover:bg-hover"
          onClick={() => {
            action.onClick();
            dismiss(id);
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="shrink-0 cursor-pointer rounded p-1 text-faint hover:bg-hover hover:text-ink"
        onClick={() => dismiss(id)}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}
