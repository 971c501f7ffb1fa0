'use client';

import { useSyncExternalStore } from 'react';
import { relativeTime } from './relative-time';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock serves every time on the page. It ticks while at least one time is shown. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 15_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const tick = () => Math.floor(Date.now() / 5_000) * 5_000;

/**
 * Shows how long ago a moment was, with the exact time in its title. The server, which has another time zone, renders the
 * date in UTC.
 */
export function TimeAgo({ at, className }: { readonly at: string | number | Date; readonly className?: string }) {
  const now = useSyncExternalStore(subscribe, tick, () => undefined);
  const date = new Date(at);
  const iso = date.toISOString();
  return (
    <time
      dateTime={iso}
      title={now === undefined ? undefined : date.toLocaleString()}
      className={className}
      suppressHydrationWarning
    >
      {now === undefined ? iso.slice(0, 10) : relativeTime(date.getTime(), Math.max(now, date.getTime()))}
    </time>
  );
}
