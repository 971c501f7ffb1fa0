'use client';

import { useState } from 'react';
import { TokenList } from './token-list';
import type { ShownToken } from './token-types';

export interface TokensOfEverybodyProps {
  readonly first: readonly ShownToken[];
  /** Revokes a token of anybody, and returns those that are left. Rejects with an Error whose message users may see. */
  readonly onRevoke: (id: string) => Promise<readonly ShownToken[]>;
}

/** The tokens of all people, for administrators: names and beginnings only. */
export function TokensOfEverybody({ first, onRevoke }: TokensOfEverybodyProps) {
  const [tokens, setTokens] = useState(first);
  const [fault, setFault] = useState<string>();
  return (
    <div className="divide-y">
      {fault !== undefined && (
        <p role="alert" className="px-4 py-2 text-bad text-sm">
          {fault}
        </p>
      )}
      {tokens.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">Nobody has a token.</p>
      ) : (
        <TokenList
          label="Tokens of everybody"
          tokens={tokens}
          namesOwners
          onRevoke={({ id }) => {
            setFault(undefined);
            onRevoke(id).then(setTokens, (error: unknown) =>
              setFault(error instanceof Error ? error.message : 'The token could not be revoked. Load the page again.'),
            );
          }}
        />
      )}
    </div>
  );
}
