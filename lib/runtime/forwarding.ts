import type { RunEvent } from './events';
import type { Forwarding } from './run-state';

/** A child's forwarding inside its parent's: what the parent holds back, no delegation below it lets through. */
export function handDown(parent: Forwarding, own: Forwarding = true): Forwarding {
  if (parent === true) return own;
  if (own === true) return parent;
  if (parent === false || own === false) return false;
  return { types: own.types.filter((type) => parent.types.includes(type)) };
}

export function forwardsDeltas(forward: Forwarding): boolean {
  return forward === true || (forward !== false && forward.types.includes('delta'));
}

/** The mark of `instance.queued`; nothing when everything is forwarded. */
export function forwardedMark(forward: Forwarding): false | readonly string[] | undefined {
  return forward === true ? undefined : forward === false ? false : forward.types;
}

/**
 * Tells of each event, in order, whether it belongs to the live stream of a run's root. Of an instance that is not
 * forwarded only its own beginning and end do; with a list of types, those besides. Recording knows nothing of this.
 */
export function forwardFilter(): (event: RunEvent) => boolean {
  const marks = new Map<string, false | readonly string[]>();
  return (event) => {
    if (event.kind === 'instance.queued' && event.forwarded !== undefined) marks.set(event.path, event.forwarded);
    if (!('path' in event) || event.path === undefined) return true;
    const mark = marks.get(event.path);
    const [type = ''] = event.kind.split('.');
    return mark === undefined || type === 'instance' || (mark !== false && mark.includes(type));
  };
}
