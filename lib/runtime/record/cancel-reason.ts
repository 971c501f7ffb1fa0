import type { InstancePath } from '@/lib/base/ids';

/** Says why a run or an instance stops. The first reason wins. */
export type CancelReason =
  | { readonly kind: 'run_cancelled' }
  | { readonly kind: 'run_timeout' }
  | { readonly kind: 'max_tokens' }
  | { readonly kind: 'max_cost' }
  | { readonly kind: 'over_budget'; readonly message: string }
  | { readonly kind: 'agent_timeout'; readonly path: InstancePath };
