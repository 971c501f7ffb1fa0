'use client';

import { useState } from 'react';
import { later } from '@/components/ui/later';
import { KeyButton } from './key-button';
import { useKeyPlaces } from './key-context';

const SecretDialog = later(async () => (await import('./set-secret-dialog')).SetSecretDialog, null);

/**
 * The button that takes the value of a variable as a secret of the page's project; for people who may not set one, the sentence
 * that says whom to ask.
 */
export function SetSecret({ name }: { readonly name: string }) {
  const places = useKeyPlaces();
  const [isOpen, setOpen] = useState(false);
  if (places === undefined) return null;
  if (!places.may) return <span className="break-words text-muted text-xs">{places.why}</span>;
  const { project } = places;
  if (project === undefined) return null;
  return (
    <>
      <KeyButton onOpen={() => setOpen(true)}>
        Set secret…<span className="sr-only"> {name}</span>
      </KeyButton>
      {isOpen && <SecretDialog name={name} project={project} onClose={() => setOpen(false)} />}
    </>
  );
}
