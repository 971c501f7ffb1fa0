'use client';

import { useSearchParams } from 'next/navigation';
import { inboxAddress, inboxPlace } from '@/components/people/inbox-place';
import { InboxView } from '@/components/people/inbox-view';

export function InboxClient() {
  const params = useSearchParams();
  return (
    <InboxView
      place={inboxPlace(new URLSearchParams(params))}
      onPlace={(place) => window.history.replaceState(null, '', inboxAddress(place))}
    />
  );
}
