'use client';

import { useEffect, useState } from 'react';
import { PersonMark } from '@/components/marks/person-mark';
import { Tooltip } from '@/components/ui/tooltip';
import type { PresentWindow } from '@/lib/base/presence';
import { draftWords } from '@/lib/base/release-names';
import { createPresence, type PresenceServices } from '@/lib/editor/presence';
import { type PresentPerson, presentPeople } from '@/lib/editor/present-people';

export interface ReviewReadersProps {
  /** The draft that the review is about. */
  readonly draft: string;
  /** Keep the same object between renders. */
  readonly presence: PresenceServices;
}

/** Who else has the project open, while the page of a review is looked at. Others see that this person reads a review. */
export function ReviewReaders({ draft, presence }: ReviewReadersProps) {
  const [others, setOthers] = useState<readonly PresentWindow[]>([]);
  useEffect(() => {
    const { store, actions } = createPresence(
      { id: crypto.randomUUID(), draft },
      { ...presence, onVersion: () => undefined, onTaken: () => undefined },
      { page: 'review', selected: [] },
    );
    const unsubscribe = store.subscribe((state) => setOthers(state.others));
    const look = () => (document.visibilityState === 'hidden' ? actions.go() : actions.come());
    look();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pagehide', actions.go);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pagehide', actions.go);
      actions.go();
      unsubscribe();
    };
  }, [draft, presence]);
  const people = presentPeople(others);
  if (people.length === 0) return null;
  return (
    <ul aria-label="Who else is here" className="-mt-2 mb-4 flex flex-wrap items-center gap-1">
      {people.map((person) => (
        <Reader key={person.key} person={person} draft={draft} />
      ))}
    </ul>
  );
}

function Reader({ person, draft }: { readonly person: PresentPerson; readonly draft: string }) {
  const words = `${person.name} ${placeOf(person, draft)}`;
  return (
    <li>
      <Tooltip text={words} side="bottom">
        <span role="img" aria-label={words} className="flex">
          <PersonMark person={person} />
        </span>
      </Tooltip>
    </li>
  );
}

function placeOf(person: PresentPerson, draft: string): string {
  if (person.page === 'review') return 'reads a review';
  return person.draft === draft ? 'edits this draft' : `is in the ${draftWords(person.draft)}`;
}
