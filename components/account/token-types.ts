import type { Scope } from '@/lib/base/rights';

/** A token without its text. Times are epoch milliseconds. */
export interface ShownToken {
  readonly id: string;
  readonly name: string;
  /** How the token begins. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** Null for every project of its person. */
  readonly project: ProjectName | null;
  readonly createdAt: number;
  /** Null for a token without an end. */
  readonly expiresAt: number | null;
  /** Null before its first use. */
  readonly usedAt: number | null;
  readonly owner: { readonly name: string; readonly email: string };
}

export interface ProjectName {
  readonly id: string;
  readonly name: string;
}

/** What a token may do, where, and for how long. */
export interface TokenChoice {
  readonly scopes: readonly Scope[];
  /** Null for every project. */
  readonly project: string | null;
  /** Null for a token without an end. */
  readonly days: number | null;
}

/** Each rejects with an Error whose message users may see. */
export interface TokenServices {
  /** Makes a token, and returns its text, which cannot be read again. */
  create(
    name: string,
    choice: TokenChoice,
  ): Promise<{ readonly token: string; readonly tokens: readonly ShownToken[] }>;
  /** Revokes a token of the person, and returns those that are left. */
  revoke(id: string): Promise<readonly ShownToken[]>;
}
