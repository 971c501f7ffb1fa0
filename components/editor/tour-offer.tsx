'use client';

import { Button } from '@/components/ui/button';
import { useRemembered } from '@/components/ui/remembered';

/** Whether this browser has `taken` or `declined` the tour; empty if neither. */
export function useTourSeen() {
  return useRemembered('tour', '');
}

/** Offers the tour in one line until it was taken or declined once in this browser. */
export function TourOffer(props: { readonly onStart: () => void }) {
  const [seen, setSeen] = useTourSeen();
  if (seen !== '') return null;
  return (
    <section
      aria-label="Tour"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-accent-soft px-3 py-1 text-ink text-sm"
    >
      <p className="min-w-0 flex-1">New here? A tour shows the screen in five short steps.</p>
      <Button size="sm" onClick={props.onStart}>
        Take the tour
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setSeen('declined')}>
        No, thanks
      </Button>
    </section>
  );
}
