import type { Capability, CapabilityChange, ModelUse } from '@/lib/cards/trust/capability';

/** `own`: nothing is ever asked. `nothing`: there is nothing to confirm. See docs/trust.md. */
export type TrustState = 'own' | 'nothing' | 'confirmed' | 'unconfirmed';

export interface TrustItem extends Capability {
  /** Compared with the list that was confirmed last. */
  readonly change: CapabilityChange;
}

/** What runs of the saved project would start or call. */
export interface ProjectTrust {
  readonly state: TrustState;
  readonly hash: string;
  readonly items: readonly TrustItem[];
  readonly models: readonly ModelUse[];
  /** ISO time of the last confirmation of any list. */
  readonly confirmedAt?: string | undefined;
}
