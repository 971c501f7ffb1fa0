import type { Hider } from '@/lib/base/hider';
import { partKey } from './delta-part';
import type { EventBody, ModelDelta } from './events';
import { endedTextStep } from './step-key';

interface Held {
  /** The latest delta, with its own text. */
  readonly delta: ModelDelta;
  /** The end of the text that has not been passed on. */
  readonly text: string;
  /** So much of that end belongs to a value that was passed on as `***`. */
  readonly covered: number;
}

/**
 * Wraps a receiver of streamed text so that each hidden value is replaced by `***`, also one that is split over several
 * deltas. `hiderNow` returns another hider whenever a value is added. `release` must get every event before it is recorded:
 * the end of a call passes on what was held back.
 */
export function redactDeltas(
  receive: (delta: ModelDelta) => void,
  hiderNow: () => Hider,
): { readonly delta: (delta: ModelDelta) => void; readonly release: (body: EventBody) => void } {
  /** By step and part. A step is here only while the end of a part is held back. */
  const held = new Map<string, Map<string, Held>>();

  function hold(end: Held): void {
    const { delta } = end;
    const parts = held.get(delta.step) ?? new Map<string, Held>();
    parts.set(partKey(delta.part), end);
    held.set(delta.step, parts);
  }

  function heldBefore(delta: ModelDelta): Held | undefined {
    const parts = held.get(delta.step);
    if (parts === undefined) return undefined;
    const key = partKey(delta.part);
    const before = parts.get(key);
    parts.delete(key);
    if (parts.size === 0) held.delete(delta.step);
    return before;
  }

  return {
    delta(delta) {
      const before = heldBefore(delta);
      const {
        clean,
        held: text,
        covered,
      } = delta.incremental && before !== undefined
        ? hiderNow().split(before.text + delta.text, before.covered)
        : hiderNow().split(delta.text);
      if (text !== '') hold({ delta, text, covered });
      if (text === '' || clean !== '' || !delta.incremental) {
        receive(clean === delta.text ? delta : { ...delta, text: clean });
      }
    },
    release(body) {
      const step = endedTextStep(body);
      const parts = step === undefined ? undefined : held.get(step);
      if (step === undefined || parts === undefined) return;
      held.delete(step);
      const hider = hiderNow();
      for (const { delta, text, covered } of parts.values()) {
        receive({ ...delta, text: delta.incremental ? hider.hide(text, covered) : hider.hide(delta.text) });
      }
    },
  };
}
