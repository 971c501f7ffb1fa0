import type { DeltaPart } from './events';

/** Names a part of an answer among the parts of the same answer. */
export function partKey(part: DeltaPart | undefined): string {
  if (part === undefined) return 'text';
  return part === 'reasoning' ? part : `call ${part.call}`;
}
