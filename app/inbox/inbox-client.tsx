'use client';

import { useSearchParams } from 'next/navigation';
import { startTransition, useOptimistic } from 'react';
import { type InboxPlace, inboxAddress, inboxPlace } from '@/components/people/inbox-place';
import { InboxView } from '@/components/people/inbox-view';

export function InboxClient() {
  const params = useSearchParams();
  // The router renders a new address in a transition. Keys that are pressed until then must find the place that was chosen.
  const [place, setPlace] = useOptimistic(inboxPlace(new URLSearchParams(params)));
  const choose = (next: InboxPlace) =>
    startTransition(() => {
      setPlace(next);
      window.history.replaceState(null, '', inboxAddress(next));
    });
  return <InboxView place={place} onPlace={choose} />;
}
