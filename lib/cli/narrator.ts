import type { RunEvent } from '@/lib/runtime/record/events';
import { narrate } from './narrate';

/**
 * Returns progress for a terminal, line by line. With `max_display_instances` in a card, only the first n children of its
 * agent are shown, and the others are counted when the agent ends. Failures of all children are shown.
 */
export function createNarrator(): (event: RunEvent) => string {
  const limits = new Map<string, number>();
  const children = new Map<string, number>();
  const folded = new Set<string>();

  return (event) => {
    if (event.kind === 'instance.queued' && event.parent !== undefined) {
      const count = (children.get(event.parent) ?? 0) + 1;
      children.set(event.parent, count);
      const limit = limits.get(event.parent) ?? Number.POSITIVE_INFINITY;
      if (count > limit || folded.has(event.parent)) folded.add(event.path);
    }
    if (event.kind === 'instance.started' && event.maxDisplayInstances !== undefined) {
      limits.set(event.path, event.maxDisplayInstances);
    }
    const line = narrate(event);
    if (!('path' in event) || event.path === undefined) return line;
    if (folded.has(event.path)) return event.kind === 'instance.ended' && event.status !== 'completed' ? line : '';
    if (event.kind !== 'instance.ended') return line;
    const rest = (children.get(event.path) ?? 0) - (limits.get(event.path) ?? Number.POSITIVE_INFINITY);
    return rest > 0 ? `${event.path}: ${rest} more instances than the ${limits.get(event.path)} shown\n${line}` : line;
  };
}
