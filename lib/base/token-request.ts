import type { ProjectId } from './ids';
import type { Scope } from './rights';

/** What somebody asks for who makes a token. */
export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null for every project of the person. */
  readonly project: ProjectId | null;
  /** For how many days it is valid. Null: without an end. */
  readonly days: number | null;
}

/** Longer than this is only `never`, so that nobody chooses it by accident. */
export const longestTokenDays = 365;
/** Of one person, at a time. */
export const mostTokens = 100;

export const usualTokenDays = 90;
export const longestTokenName = 100;
