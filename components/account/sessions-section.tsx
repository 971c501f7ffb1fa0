'use client';

import { Monitor } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OwnAccountPart } from './own-account-types';

/** Lists the browsers that are signed in, and signs them out. */
export function SessionsSection({ account, services, onChange }: OwnAccountPart) {
  const [fault, setFault] = useState<string>();
  const end = async (session: string) => {
    setFault(undefined);
    try {
      onChange(await services.endSession(session));
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The session was not ended. Try again.');
    }
  };
  return (
    <>
      <ul aria-label="Sessions" className="divide-y">
        {account.sessions.map(({ id, device, address, createdAt, seenAt, isThis }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <Monitor aria-hidden className="size-4 shrink-0 text-faint" />
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-2 text-ink text-sm">
                <span className="font-medium">{device}</span>
                {isThis && <Badge tone="ok">this browser</Badge>}
              </p>
              <p className="text-muted text-xs">
                {address ?? 'unknown address'} · signed in <TimeAgo at={createdAt} /> · seen <TimeAgo at={seenAt} />
              </p>
            </div>
            {!isThis && (
              <Button size="sm" aria-label={`Sign out ${device}`} onClick={() => void end(id)}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(account.sessions.length > 2 || fault !== undefined) && (
        <div className="flex flex-wrap items-center gap-3 border-t px-4 py-3">
          <Button size="sm" onClick={() => void end('others')}>
            Sign out all others
          </Button>
          {fault !== undefined && (
            <p role="alert" className="text-bad text-xs">
              {fault}
            </p>
          )}
        </div>
      )}
    </>
  );
}
