import type { RunEvent } from '@/lib/runtime/record/events';
import { narrate } from './narrate';

/**
 * Progress for a terminal, line by line. Of the children of an agent whose card has `max_display_instances` the first n are
 * told, the rest is counted when their parent ends; what fails is told of all.
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
