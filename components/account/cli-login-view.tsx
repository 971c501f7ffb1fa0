'use client';

import { CircleCheck, CircleX, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { Scope } from '@/lib/base/rights';
import { usualTokenDays } from '@/lib/base/token-request';
import { TokenFields } from './token-fields';
import type { ProjectName, TokenChoice } from './token-types';

export interface CliLoginViewProps {
  readonly code: string;
  /** What the command says of its machine. */
  readonly machine: string;
  /** The IP address that it asked from. */
  readonly address: string;
  /** What it asks for. */
  readonly scopes: readonly Scope[];
  /** The mail address of the person. */
  readonly person: string;
  readonly projects: readonly ProjectName[];
  readonly isAdministrator: boolean;
  /** Each rejects with an Error whose message users may see. */
  readonly onAllow: (choice: TokenChoice) => Promise<void>;
  readonly onDeny: () => Promise<void>;
}

/** Asks a person whether a command may have a token: who asks, from where, with which code, and for what. */
export function CliLoginView(props: CliLoginViewProps) {
  const { code, machine, address, person, projects, isAdministrator, onAllow, onDeny } = props;
  const [choice, setChoice] = useState<TokenChoice>({
    scopes: props.scopes,
    project: null,
    days: usualTokenDays,
  });
  const [busy, setBusy] = useState<'allow' | 'deny'>();
  const [fault, setFault] = useState<string>();
  const [end, setEnd] = useState<'allow' | 'deny'>();
  const decide = async (way: 'allow' | 'deny') => {
    setBusy(way);
    setFault(undefined);
    try {
      await (way === 'allow' ? onAllow(choice) : onDeny());
      setEnd(way);
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'It could not be stored. Try again.');
    }
    setBusy(undefined);
  };
  if (end !== undefined) return <Decided way={end} />;
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-8">
      <div className="rounded-xl border bg-surface shadow-card">
        <header className="flex flex-col gap-1 px-5 pt-5 pb-4">
          <SquareTerminal aria-hidden className="size-6 text-muted" />
          <h1 className="font-semibold text-ink text-lg">A command asks for a token</h1>
          <p className="text-muted text-sm">
            <strong className="break-words font-medium text-ink">{machine}</strong> ran{' '}
            <code className="font-mono text-xs">callboard login</code> from the address{' '}
            <span className="break-words text-ink">{address}</span>. With the token it asks as{' '}
            <span className="break-words text-ink">{person}</span>.
          </p>
        </header>
        <div className="flex flex-col gap-4 border-t px-5 py-4">
          <div>
            <p className="font-medium text-muted text-xs">Is this the code in your terminal?</p>
            <p className="mt-1 font-mono font-semibold text-2xl text-ink tracking-widest">{code}</p>
            <p className="mt-1 text-muted text-sm">
              If it is another one, or if you have not run the command yourself, refuse. Somebody may want your rights.
            </p>
          </div>
          <TokenFields choice={choice} projects={projects} isAdministrator={isAdministrator} onChange={setChoice} />
          {fault !== undefined && (
            <p role="alert" className="text-bad text-sm">
              {fault}
            </p>
          )}
        </div>
        <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">
          <Button busy={busy === 'deny'} onClick={() => void decide('deny')}>
            Refuse
          </Button>
          <Button
            variant="primary"
            busy={busy === 'allow'}
            disabled={choice.scopes.length === 0}
            onClick={() => void decide('allow')}
          >
            Allow
          </Button>
        </footer>
      </div>
    </div>
  );
}

function Decided({ way }: { readonly way: 'allow' | 'deny' }) {
  const isAllowed = way === 'allow';
  return (
    <div role="status" className="py-16">
      <EmptyState
        heading="h1"
        icon={isAllowed ? <CircleCheck aria-hidden className="text-ok" /> : <CircleX aria-hidden />}
        title={isAllowed ? 'The command is signed in' : 'The command gets nothing'}
      >
        {isAllowed
          ? 'Go back to the terminal. You can revoke its token in your account.'
          : 'If you did not run it, tell an administrator where the link came from.'}
      </EmptyState>
    </div>
  );
}
