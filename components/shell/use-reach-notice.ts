'use client';

import { useEffect } from 'react';
import { keepToast, showToast } from '@/components/ui/toast';
import { readOpenCount } from '@/lib/client/open-count';
import { isCallboardReached, onReach } from '@/lib/client/reach';
import { unreachable } from '@/lib/client/unreachable';

const retryMs = 5_000;

/** Says once that Callboard cannot be reached, asks it again, and says when it answers. */
export function useReachNotice(): void {
  useEffect(() => {
    let dismiss = () => {};
    let timer: ReturnType<typeof setInterval> | undefined;
    // Each request tells whether it got an answer.
    const ask = () => void readOpenCount().catch(() => undefined);
    const tryAgain = () => void readOpenCount().catch(() => isCallboardReached() || show());
    const show = () => {
      dismiss = keepToast({ tone: 'bad', text: unreachable, action: { label: 'Try now', onClick: tryAgain } });
    };
    const stop = () => {
      clearInterval(timer);
      dismiss();
    };
    const tell = () => {
      stop();
      if (isCallboardReached()) {
        showToast({ tone: 'ok', text: 'Callboard answers again. Repeat what did not work.' });
      } else {
        show();
        timer = setInterval(ask, retryMs);
      }
    };
    if (!isCallboardReached()) tell();
    const unsubscribe = onReach(tell);
    window.addEventListener('online', ask);
    return () => {
      unsubscribe();
      window.removeEventListener('online', ask);
      stop();
    };
  }, []);
}
