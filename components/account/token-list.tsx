'use client';

import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import { scopeNames } from './scope-words';
import type { ShownToken } from './token-types';

export interface TokenListProps {
  /** The accessible name of the list. */
  readonly label: string;
  readonly tokens: readonly ShownToken[];
  /** True if the list says whose each token is. */
  readonly namesOwners: boolean;
  readonly onRevoke: (token: ShownToken) => void;
}

/** Lists tokens: how they begin, what they may do, where, until when, and when they were last used. */
export function TokenList({ label, tokens, namesOwners, onRevoke }: TokenListProps) {
  const [asked, setAsked] = useState<ShownToken>();
  return (
    <>
      <ul aria-label={label} className="divide-y">
        {tokens.map((token) => (
          <TokenItem key={token.id} token={token} namesOwner={namesOwners} onRevoke={() => setAsked(token)} />
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={`Revoke ${asked?.name}?`}
        confirm="Revoke token"
        onConfirm={() => {
          setAsked(undefined);
          if (asked !== undefined) onRevoke(asked);
        }}
      >
        Scripts and commands that use it are refused from their next request on. It cannot be brought back.
      </ConfirmDialog>
    </>
  );
}

interface TokenItemProps {
  readonly token: ShownToken;
  readonly namesOwner: boolean;
  readonly onRevoke: () => void;
}

function TokenItem({ token, namesOwner, onRevoke }: TokenItemProps) {
  const { name, prefix, scopes, project, createdAt, usedAt, owner } = token;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <KeyRound aria-hidden className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-baseline gap-x-2 text-ink text-sm">
          <span className="break-all font-medium">
            <VisibleText text={name} />
          </span>
          <code className="font-mono text-muted text-xs">{prefix}…</code>
        </p>
        {namesOwner && (
          <p className="break-all text-ink text-xs">
            {owner.name} · {owner.email}
          </p>
        )}
        <p className="break-words text-muted text-xs">
          {scopeNames(scopes)} · {project === null ? 'every project' : project.name}
        </p>
        <p className="text-faint text-xs">
          made <TimeAgo at={createdAt} /> ·{' '}
          {usedAt === null ? (
            'not used yet'
          ) : (
            <>
              used <TimeAgo at={usedAt} />
            </>
          )}{' '}
          · <Expiry at={token.expiresAt} />
        </p>
      </div>
      <Button size="sm" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}

const dayMs = 86_400_000;
const soonMs = 7 * dayMs;

function Expiry({ at }: { readonly at: number | null }) {
  // The server renders the date: its clock and the browser's differ.
  const [now, setNow] = useState<number>();
  useEffect(() => setNow(Date.now()), []);
  if (at === null) return 'never expires';
  const date = new Date(at).toISOString().slice(0, 10);
  if (now === undefined) return `expires ${date}`;
  if (at <= now) return <Badge tone="bad">expired</Badge>;
  if (at - now > soonMs) return `expires ${date}`;
  const days = Math.ceil((at - now) / dayMs);
  return <Badge tone="warn">{days === 1 ? 'expires within a day' : `expires within ${days} days`}</Badge>;
}
