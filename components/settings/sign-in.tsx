'use client';

import { ExternalLink, LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ShownSignIn, SignInServices } from './sign-in-types';

type Begun =
  | { readonly phase: 'running' }
  | { readonly phase: 'ready'; readonly host: string; readonly href: string }
  | { readonly phase: 'failed'; readonly message: string };

/** Begins a sign-in at a server. The provider's host is shown before the browser goes there. */
export function SignInButton({
  server,
  begin,
}: {
  readonly server: string;
  readonly begin: () => ReturnType<SignInServices['begin']>;
}) {
  const [begun, setBegun] = useState<Begun>();
  const start = async () => {
    setBegun({ phase: 'running' });
    try {
      setBegun({ phase: 'ready', ...(await begin()) });
    } catch (error) {
      setBegun({ phase: 'failed', message: messageOf(error) });
    }
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-xs">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone="warn">needs sign-in</Badge>
        {begun?.phase === 'ready' ? (
          <a
            href={begun.href}
            target="_blank"
            rel="noopener"
            className="inline-flex items-center gap-1 break-all font-medium text-accent underline-offset-2 hover:underline"
          >
            Continue at {begun.host}
            <ExternalLink aria-hidden className="size-3.5 shrink-0" />
          </a>
        ) : (
          <Button
            size="sm"
            icon={<LogIn aria-hidden className="size-3.5" />}
            busy={begun?.phase === 'running'}
            onClick={() => void start()}
          >
            Sign in<span className="sr-only"> at {server}</span>
          </Button>
        )}
      </div>
      {begun?.phase === 'ready' && (
        <p className="text-muted">It opens in a new tab. Afterwards, test the server again.</p>
      )}
      {begun?.phase === 'failed' && (
        <p role="alert" className="break-words text-bad">
          {begun.message}
        </p>
      )}
    </div>
  );
}

/** The sign-ins of a project at its servers. `key` it by what may have changed them. */
export function SignInList({ project, services }: { readonly project: string; readonly services: SignInServices }) {
  const [all, setAll] = useState<readonly ShownSignIn[]>([]);
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    let isGone = false;
    const read = () =>
      services.list(project).then(
        (found) => !isGone && setAll(found),
        () => undefined,
      );
    void read();
    // A sign-in ends in another tab.
    window.addEventListener('focus', read);
    return () => {
      isGone = true;
      window.removeEventListener('focus', read);
    };
  }, [project, services]);
  if (all.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="font-medium text-ink text-xs">Sign-ins</h3>
      <ul aria-label="Sign-ins" className="flex flex-col gap-1.5">
        {all.map((signIn) => (
          <li key={signIn.id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-xs">
            <SignInWords signIn={signIn} />
            <Button
              size="sm"
              onClick={() =>
                services.forget(project, signIn.id).then(setAll, (error: unknown) => setFault(messageOf(error)))
              }
            >
              Forget<span className="sr-only"> the sign-in at {signIn.server}</span>
            </Button>
          </li>
        ))}
      </ul>
      {fault !== undefined && (
        <p role="alert" className="text-bad text-xs">
          {fault}
        </p>
      )}
    </div>
  );
}

function SignInWords({ signIn }: { readonly signIn: ShownSignIn }) {
  const { server, address, provider, by, at, expiresAt, refreshedAt, usedAt, endedBecause } = signIn;
  return (
    <div className="min-w-0 flex-1 basis-52">
      <p className="break-words text-ink">
        {server} at {provider} <span className="break-all font-mono text-faint">{address}</span>
      </p>
      <p className="text-muted">
        by {by}, <TimeAgo at={at} />
        {refreshedAt !== null && (
          <>
            {' · renewed '}
            <TimeAgo at={refreshedAt} />
          </>
        )}
        {usedAt === null ? (
          ' · no run has used it yet'
        ) : (
          <>
            {' · used '}
            <TimeAgo at={usedAt} />
          </>
        )}
        {expiresAt !== null && ` · its token is good until ${new Date(expiresAt).toLocaleString()}`}
      </p>
      {endedBecause !== null && (
        <p className="break-words text-bad">{endedBecause} Test the server and sign in again.</p>
      )}
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'It did not work. Try again.';
}
