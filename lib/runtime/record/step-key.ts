import { brandAs, type InstancePath, type StepKey } from '@/lib/base/ids';

/**
 * The n-th model call (`m`), tool call (`t`), hook (`h`) or setup (`s`) of an instance's life; n counts from 1, fixed before
 * any await.
 */
export function stepKey(path: InstancePath, kind: 'm' | 't' | 'h' | 's', n: number): StepKey {
  return brandAs<StepKey>(`${path}#${kind}${n}`);
}
