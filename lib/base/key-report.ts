/** What a worker found when it tried the key of a model provider. It holds no part of the key. */
export interface KeyReport {
  /**
   * - `works`: the provider took the key
   * - `refused`: it did not
   * - `no credit`: the key is right, and its account is empty or at its limit
   * - `not reached`: nothing answered at the address
   * - `wrong address`: something answered that is not the provider's API
   * - `unproved`: the server answers without a key, so it says nothing about this one
   * - `failed`: the provider had a fault of its own
   */
  readonly outcome: KeyOutcome;
  /** One sentence, or two, for users. */
  readonly message: string;
  /** The first models that the provider lists. */
  readonly models: readonly string[];
}

export const keyOutcomes = [
  'works',
  'refused',
  'no credit',
  'not reached',
  'wrong address',
  'unproved',
  'failed',
] as const;
type KeyOutcome = (typeof keyOutcomes)[number];
