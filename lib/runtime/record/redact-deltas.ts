import { partKey } from './delta-part';
import type { EventBody, ModelDelta } from './events';
import { PieceRedactor } from './redact-pieces';
import { endedTextStep } from './step-key';

interface Held {
  /** The latest delta, with its own text. */
  readonly delta: ModelDelta;
  /** The end of the text that has not been passed on. */
  readonly text: string;
}

/**
 * Wraps a receiver of streamed text so that each hidden value is replaced by `***`, also one that is split over several
 * deltas. `hiddenNow` returns another array whenever a value is added. `release` must get every event before it is recorded: the end of a call passes on what was held back.
 */
export function redactDeltas(
  receive: (delta: ModelDelta) => void,
  hiddenNow: () => readonly string[],
): { readonly delta: (delta: ModelDelta) => void; readonly release: (body: EventBody) => void } {
  let hidden = hiddenNow();
  let redactor = new PieceRedactor(hidden);
  /** By step and part. A step is here only while the end of a part is held back. */
  const held = new Map<string, Map<string, Held>>();

  function hold(delta: ModelDelta, text: string): void {
    const parts = held.get(delta.step) ?? new Map<string, Held>();
    parts.set(partKey(delta.part), { delta, text });
    held.set(delta.step, parts);
  }

  function heldBefore(delta: ModelDelta): string {
    const parts = held.get(delta.step);
    if (parts === undefined) return '';
    const key = partKey(delta.part);
    const before = parts.get(key)?.text ?? '';
    parts.delete(key);
    if (parts.size === 0) held.delete(delta.step);
    return before;
  }

  return {
    delta(delta) {
      const now = hiddenNow();
      if (now !== hidden) {
        hidden = now;
        redactor = new PieceRedactor(now);
      }
      if (held.size === 0 && redactor.isHarmless(delta.text)) {
        receive(delta);
        return;
      }
      const before = heldBefore(delta);
      const whole = delta.incremental ? before + delta.text : delta.text;
      const { clean, held: text } = redactor.split(whole);
      if (text !== '') hold(delta, text);
      if (text === '' || clean !== '' || !delta.incremental) {
        receive(clean === delta.text ? delta : { ...delta, text: clean });
      }
    },
    release(body) {
      const step = endedTextStep(body);
      const parts = step === undefined ? undefined : held.get(step);
      if (step === undefined || parts === undefined) return;
      held.delete(step);
      for (const { delta, text } of parts.values()) {
        receive(delta.incremental ? { ...delta, text } : { ...delta, text: redactor.split(delta.text).clean + text });
      }
    },
  };
}
