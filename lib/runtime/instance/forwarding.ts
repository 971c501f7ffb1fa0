import type { StepKey } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { Instance } from './instance';
import type { Forwarding } from './instance-spec';

/**
 * A child's forwarding inside its parent's: what the parent holds back, no delegation below it lets through, and text is
 * whole where any of them wants it whole.
 */
export function handDown(parent: Forwarding, own: Forwarding = true): Forwarding {
  if (parent === true) return own;
  if (own === true) return parent;
  if (parent === false || own === false) return false;
  return {
    types: own.types?.filter((type) => !parent.types || parent.types.includes(type)) ?? parent.types,
    incremental: !isWhole(parent) && !isWhole(own),
  };
}

/** Takes the pieces of one model call's text to the live stream, as the instance's delegation wants them. */
export function deltaSink({ run, spec }: Instance, step: StepKey): (text: string) => void {
  const { events } = run.ports;
  const { forward, path, name, card, sessionId } = spec;
  const isForwarded = forward === true || (forward !== false && (!forward.types || forward.types.includes('delta')));
  if (!isForwarded || !events.delta) return () => {};
  const whole = isWhole(forward);
  let said = '';
  return (text) => {
    said = whole ? said + text : text;
    events.delta?.({
      path,
      agentName: card.name,
      instanceName: name,
      sessionId,
      step,
      text: said,
      incremental: !whole,
    });
  };
}

function isWhole(forward: Forwarding): boolean {
  return typeof forward === 'object' && forward.incremental === false;
}

/** The mark of `instance.queued`; nothing when everything is forwarded. */
export function forwardedMark(forward: Forwarding): false | readonly string[] | undefined {
  return typeof forward === 'object' ? forward.types : forward ? undefined : false;
}

/**
 * Tells of each event, in order, whether it belongs to the live stream of a run's root. Of an instance that is not
 * forwarded only its own beginning and end do; with a list of types those besides, and which session it runs in. Recording
 * knows nothing of this.
 */
export function forwardFilter(): (event: RunEvent) => boolean {
  const marks = new Map<string, false | readonly string[]>();
  return (event) => {
    if (event.kind === 'instance.queued' && event.forwarded !== undefined) marks.set(event.path, event.forwarded);
    if (!('path' in event) || event.path === undefined) return true;
    const mark = marks.get(event.path);
    const [type = ''] = event.kind.split('.');
    if (mark === undefined || type === 'instance') return true;
    return mark !== false && (mark.includes(type) || event.kind === 'session.opened');
  };
}
