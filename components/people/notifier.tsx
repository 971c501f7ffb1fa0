'use client';

import { useEffect } from 'react';
import { showToast } from '@/components/ui/toast';
import { useLatest } from '@/components/ui/use-latest';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { PendingInfo } from '@/lib/base/pending-info';
import { listPending } from '@/lib/client/pending';
import { useNoticeSetting } from './notice-setting';
import { newQuestions, noticeWords } from './notice-words';

const pollMs = 10_000;
/** More are told in one line. */
const mostTold = 3;

/** Tells of questions that are asked while this page is open: by the browser if the page is hidden, otherwise in the page. */
export function Notifier() {
  const { who, sound } = useNoticeSetting();
  const tell = useLatest((items: readonly PendingInfo[]) => {
    for (const item of items.slice(0, mostTold)) tellOf(noticeWords(item), `/inbox?item=${item.id}`, item.id);
    if (items.length > mostTold) tellOf(`${items.length - mostTold} more questions wait`, '/inbox', 'more');
    if (sound && items.length > 0) beep();
  });
  useEffect(() => {
    if (who === 'none') return;
    const gone = new AbortController();
    let since: number | undefined;
    const look = async () => {
      const query = { status: 'all', limit: '20', ...(who === 'mine' && { mine: 'true' }) };
      const { items } = await listPending(query, gone.signal);
      const known = since;
      since = Math.max(since ?? 0, ...items.map(({ askedAt }) => askedAt));
      if (known !== undefined && !gone.signal.aborted) tell(newQuestions(items, known));
    };
    // The next look comes in any case.
    const attempt = () => void look().catch(() => undefined);
    attempt();
    const timer = setInterval(attempt, pollMs);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, [who, tell]);
  return null;
}

function tellOf(text: string, address: string, tag: string): void {
  const open = () => window.location.assign(address);
  const byBrowser = document.hidden && 'Notification' in window && Notification.permission === 'granted';
  if (!byBrowser) {
    // The inbox shows it already.
    if (window.location.pathname !== '/inbox') showToast({ text, action: { label: 'Open', onClick: open } });
    return;
  }
  // Several tabs tell of the same question: the tag makes them one.
  const notification = new Notification('Callboard', {
    body: escapeHidden(text),
    tag: `callboard-${tag}`,
    silent: true,
  });
  notification.onclick = () => {
    window.focus();
    open();
    notification.close();
  };
}

/** A short, quiet tone. A browser that has seen no click on this page keeps silent. */
function beep(): void {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.05, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.25);
  const tone = audio.createOscillator();
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.25);
}
