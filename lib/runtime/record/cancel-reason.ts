import type { InstancePath } from '@/lib/base/ids';

/** Says why a run or an instance stops. The first reason wins. */
export type CancelReason =
  | { readonly kind: 'run_cancelled' }
  /** The run goes on in another process, or later: what happens here has no effect any more. */
  | { readonly kind: 'run_left' }
  | { readonly kind: 'run_timeout' }
  | { readonly kind: 'max_tokens' }
  | { readonly kind: 'max_cost' }
  | { readonly kind: 'over_budget'; readonly message: string }
  | { readonly kind: 'agent_timeout'; readonly path: InstancePath };
