import type { RunEvent } from '@/lib/runtime/record/events';

/** Fields that say where an event belongs, and not what was said in it. */
const places: ReadonlySet<string> = new Set([
  'seq',
  'at',
  'kind',
  'path',
  'step',
  'callId',
  'correlationId',
  'parentCorrelationId',
  'parent',
  'parentStep',
  'runId',
  'around',
  'instanceName',
  'usage',
  'type',
  'role',
]);

/**
 * Returns true if an argument, a result, a message or another text of an event holds `wanted`, which is in lower case. It uses a
 * stack, because values of tools may be nested deeper than the call stack.
 */
export function eventHolds(event: RunEvent, wanted: string): boolean {
  const pending: unknown[] = [event];
  for (let value = pending.pop(); value !== undefined || pending.length > 0; value = pending.pop()) {
    if (typeof value === 'string' ? value.toLowerCase().includes(wanted) : isNumberLike(value, wanted)) return true;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) pending.push(...value.slice(0, 10_000));
    else for (const [key, inner] of Object.entries(value)) if (!places.has(key)) pending.push(inner);
  }
  return false;
}

function isNumberLike(value: unknown, wanted: string): boolean {
  return (typeof value === 'number' || typeof value === 'boolean') && String(value) === wanted;
}
