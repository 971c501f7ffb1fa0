'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { NewToken } from './new-token';
import { TokenList } from './token-list';
import type { ProjectName, ShownToken, TokenServices } from './token-types';

export interface TokensSectionProps {
  /** Those of the person. */
  readonly first: readonly ShownToken[];
  readonly projects: readonly ProjectName[];
  readonly isAdministrator: boolean;
  readonly services: TokenServices;
}

/** The tokens of a person: makes and revokes them. */
export function TokensSection({ first, projects, isAdministrator, services }: TokensSectionProps) {
  const [tokens, setTokens] = useState(first);
  const [isNew, setNew] = useState(false);
  const [fault, setFault] = useState<string>();
  return (
    <div className="divide-y">
      <div className="flex flex-wrap items-center gap-3 px-4 py-3">
        <p className="min-w-0 flex-1 basis-56 text-muted text-sm">
          For scripts, exporters of traces and remote agents. A token may do what you may do, and of that only what you
          choose.
        </p>
        <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setNew(true)}>
          New token
        </Button>
      </div>
      {fault !== undefined && (
        <p role="alert" className="px-4 py-2 text-bad text-sm">
          {fault}
        </p>
      )}
      {tokens.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">
          No tokens yet. The command <code className="font-mono text-xs">callboard login</code> makes one for itself.
        </p>
      ) : (
        <TokenList
          label="Tokens"
          tokens={tokens}
          namesOwners={false}
          onRevoke={({ id }) => {
            setFault(undefined);
            services.revoke(id).then(setTokens, (error: unknown) => setFault(messageOf(error)));
          }}
        />
      )}
      {isNew && (
        <NewToken
          projects={projects}
          isAdministrator={isAdministrator}
          onClose={() => setNew(false)}
          onCreate={async (name, choice) => {
            const made = await services.create(name, choice);
            setTokens(made.tokens);
            return made.token;
          }}
        />
      )}
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The token could not be revoked. Load the page again.';
}
