'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { longestTokenName, usualTokenDays } from '@/lib/base/token-request';
import { TokenFields } from './token-fields';
import type { ProjectName, TokenChoice } from './token-types';

interface NewTokenProps {
  readonly projects: readonly ProjectName[];
  readonly isAdministrator: boolean;
  /** Returns the text of the token. Rejects with an Error whose message users may see. */
  readonly onCreate: (name: string, choice: TokenChoice) => Promise<string>;
  readonly onClose: () => void;
}

/** Asks what a new token may do, then shows it once. */
export function NewToken({ projects, isAdministrator, onCreate, onClose }: NewTokenProps) {
  const [name, setName] = useState('');
  const [choice, setChoice] = useState<TokenChoice>({ scopes: ['read'], project: null, days: usualTokenDays });
  const [token, setToken] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      setToken(await onCreate(name.trim(), choice));
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The token could not be made. Try again.');
    }
    setBusy(false);
  };
  if (token !== undefined) return <ShownOnce token={token} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New token"
      description="It is shown once, when it is made."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="new-token"
            variant="primary"
            busy={isBusy}
            disabled={name.trim() === '' || choice.scopes.length === 0}
          >
            Make token
          </Button>
        </>
      }
    >
      <form
        id="new-token"
        autoComplete="off"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field label="Name" hint="Where it is used, such as the name of a script.">
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              placeholder="nightly report"
              value={name}
              maxLength={longestTokenName}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <TokenFields choice={choice} projects={projects} isAdministrator={isAdministrator} onChange={setChoice} />
        {fault !== undefined && (
          <p role="alert" className="text-bad text-sm">
            {fault}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function ShownOnce({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Copy your token now"
      description="It is not shown again. Whoever has it may do what you chose, so keep it like a password."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="flex items-center gap-2">
        <code className="min-w-0 flex-1 break-all rounded border bg-sunken px-2 py-1 font-mono text-xs">{token}</code>
        <CopyButton text={token} label="Copy token" />
      </p>
    </Dialog>
  );
}
