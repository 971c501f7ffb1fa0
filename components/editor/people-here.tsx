'use client';

import { usePresence } from '@/components/editor-state/presence-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { PersonMark } from '@/components/marks/person-mark';
import { classNames } from '@/components/ui/class-names';
import { Tooltip } from '@/components/ui/tooltip';
import { draftWords } from '@/lib/base/release-names';
import { type PresentPerson, presentPeople } from '@/lib/editor/present-people';

const mostShown = 4;

/** Who else has the project open. A click on somebody selects what they have selected. */
export function PeopleHere({ className }: { readonly className: string }) {
  const others = usePresence((state) => state.others);
  const people = presentPeople(others);
  if (people.length === 0) return null;
  const more = people.length - mostShown;
  return (
    <ul aria-label="Who else is here" className={classNames('shrink-0 items-center gap-1', className)}>
      {people.slice(0, mostShown).map((person) => (
        <li key={person.key}>
          <Person person={person} />
        </li>
      ))}
      {more > 0 && <li className="text-muted text-xs">+{more}</li>}
    </ul>
  );
}

function Person({ person }: { readonly person: PresentPerson }) {
  const draft = useProject((state) => state.draft);
  const nodes = useProject((state) => state.picture.nodes);
  const { select } = useActions();
  const known = person.draft === draft ? person.selected.filter((id) => nodes.has(id)) : [];
  const words = `${person.name} ${placeOf(person, draft, known)}`;
  return (
    <Tooltip text={words} side="bottom">
      <button
        type="button"
        aria-label={words}
        aria-disabled={known.length === 0}
        className="flex cursor-pointer rounded-full"
        onClick={() => known.length > 0 && select(known)}
      >
        <PersonMark person={person} />
      </button>
    </Tooltip>
  );
}

function placeOf(person: PresentPerson, draft: string, known: readonly string[]): string {
  if (person.page === 'review') return 'reads a review';
  if (person.draft !== draft) return `is in the ${draftWords(person.draft)}`;
  const [first] = known;
  if (first === undefined) return 'is here';
  const name = first.slice(first.indexOf(':') + 1);
  return known.length === 1 ? `is at ${name}` : `has ${known.length} selected`;
}
