'use client';

import { useState } from 'react';
import { later } from '@/components/ui/later';
import { secretToSet } from '@/lib/base/project-env';
import { keyToSet, providerOfKey } from '@/lib/cards/models/missing-key';
import { KeyButton } from './key-button';
import { useKeyPlaces } from './key-context';
import { SetSecret } from './set-secret';

/** The same dialog for places that have a button of their own. */
export const KeyDialog = later(async () => (await import('./set-key-dialog')).SetKeyDialog, null);

interface SetKeyProps {
  /** The variable of the key; `undefined` lets the person choose the provider. */
  readonly variable: string | undefined;
  readonly label?: string;
  /** Where the key is stored unless the person chooses otherwise: the id of the project of the page, or `everyProject`. */
  readonly place?: string | undefined;
}

/** The button that takes a key of a model provider; for people who may not set one, the sentence that says whom to ask. */
export function SetKey({ variable, place, label = 'Set key…' }: SetKeyProps) {
  const places = useKeyPlaces();
  const [isOpen, setOpen] = useState(false);
  if (places === undefined) return null;
  if (!places.may) return <span className="break-words text-muted text-xs">{places.why}</span>;
  return (
    <>
      <KeyButton onOpen={() => setOpen(true)}>
        {label}
        {variable !== undefined && <span className="sr-only"> of {providerOfKey(variable)}</span>}
      </KeyButton>
      {isOpen && <KeyDialog variable={variable} place={place} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The button that sets the key, or the secret, for which a message asks. Nothing for other messages. */
export function MissingKey({ text }: { readonly text: string }) {
  const variable = keyToSet(text);
  if (variable !== undefined) return <SetKey variable={variable} />;
  const name = secretToSet(text);
  return name === undefined ? null : <SetSecret name={name} />;
}
