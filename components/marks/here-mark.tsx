'use client';

import { usePresence } from '@/components/editor-state/presence-context';
import { presentPeople } from '@/lib/editor/present-people';
import { PersonMark } from './person-mark';

/** Shows on a node who else has selected it. */
export function HereMark({ node }: { readonly node: string }) {
  const beside = usePresence((state) => state.beside);
  const here = presentPeople(beside).filter(({ selected }) => selected.includes(node));
  if (here.length === 0) return null;
  const words = `${here.map(({ name }) => name).join(', ')} ${here.length === 1 ? 'is' : 'are'} here`;
  return (
    <span role="img" aria-label={words} title={words} className="absolute -top-2 right-2 flex gap-0.5">
      {here.slice(0, 3).map((person) => (
        <PersonMark key={person.key} person={person} small />
      ))}
    </span>
  );
}
