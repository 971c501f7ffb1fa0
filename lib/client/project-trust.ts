import type { Capability, CapabilityChange, ModelUse } from '@/lib/cards/trust/capability';

/** With `own` nothing is ever asked. With `nothing` there is nothing to confirm. docs/trust.md explains the states. */
export type TrustState = 'own' | 'nothing' | 'confirmed' | 'unconfirmed';

export interface TrustItem extends Capability {
  /** The difference to the list that was confirmed last. */
  readonly change: CapabilityChange;
}

/** What runs of the saved project would start or call. */
export interface ProjectTrust {
  readonly state: TrustState;
  readonly hash: string;
  readonly items: readonly TrustItem[];
  readonly models: readonly ModelUse[];
  /** The ISO time of the last confirmation of any list. */
  readonly confirmedAt?: string | undefined;
}
