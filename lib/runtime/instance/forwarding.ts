import type { StepKey } from '@/lib/base/ids';
import type { ModelControl } from '@/lib/runtime/ports';
import { partKey } from '@/lib/runtime/record/delta-part';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { Instance } from './instance';
import type { Forwarding } from './instance-spec';

/**
 * Combines a child's forwarding with its parent's. What the parent does not forward stays hidden below it, and text is sent
 * whole if one of them asks for that.
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

/** Sends the pieces of one model call's text to the live stream, as the instance's delegation says. */
export function deltaSink({ run, spec }: Instance, step: StepKey): ModelControl['onDelta'] {
  const { events } = run.ports;
  const { forward, path, name, card, sessionId } = spec;
  const isForwarded = forward === true || (forward !== false && (!forward.types || forward.types.includes('delta')));
  if (!isForwarded || !events.delta) return () => {};
  const whole = isWhole(forward);
  const said = new Map<string, string>();
  return (piece, part) => {
    let text = piece;
    if (whole) {
      const key = partKey(part);
      text = (said.get(key) ?? '') + piece;
      said.set(key, text);
    }
    events.delta?.({
      path,
      agentName: card.name,
      instanceName: name,
      sessionId,
      step,
      part,
      text,
      incremental: !whole,
    });
  };
}

function isWhole(forward: Forwarding): boolean {
  return typeof forward === 'object' && forward.incremental === false;
}

/** Returns the field `forwarded` of `instance.queued`; `undefined` when everything is forwarded. */
export function forwardedMark(forward: Forwarding): false | readonly string[] | undefined {
  return typeof forward === 'object' ? forward.types : forward ? undefined : false;
}

/**
 * Returns a filter that decides for each event, in order, whether it belongs to the live stream of a run's root. An
 * instance that is not forwarded shows only its start and end. If its delegation lists event types, it also shows those
 * types and its session. Recording is not affected.
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
