/**
 * What models say in calls that have not ended. It is only passed on, never stored: a text that was dropped is in the event
 * that ends its call. Worker, web process and browser each keep the same structure:
 *
 *   model ─▶ put ─ worker ─ take ─▶ notification ─▶ put ─ web ─ take, for each reader ─▶ stream ─▶ put ─ browser
 */

import type { ModelDelta } from '@/lib/runtime/record/events';
import { endedTextStep } from '@/lib/runtime/record/step-key';
import { GrowingText } from './growing-text';
import type { SlimEvent } from './slim-event';

/** A part of the text of a model call that goes on. */
export interface LivePiece {
  readonly step: string;
  readonly path: string;
  readonly part: 'text' | 'reasoning' | 'arguments';
  /** The number of the tool call among those of the answer, and its tool. Only with `arguments`. */
  readonly call?: number;
  readonly toolName?: string;
  /**
   * The position of `text` within the part, in UTF-16 units. What the reader has from there on is replaced. If it is beyond
   * what the reader has, the beginning is not known.
   */
  readonly at: number;
  readonly text: string;
}

/** One part of one call, as far as it has come. */
export type LivePart = Omit<LivePiece, 'at' | 'text'> & { readonly said: GrowingText };

/** How far one reader has read. */
export class LiveCursor {
  /** The position up to which each part was read. */
  readonly read = new WeakMap<LivePart, number>();
  /** The part that was read last. The next ones come first, so that none waits for ever. */
  last: LivePart | undefined;
}

/** The end of each part is kept, with at least this many UTF-16 units. */
const keptUnits = 16_384;
/** More calls than this do not go on at the same time in one run. */
const mostCalls = 2_000;

export class LiveTexts {
  private readonly steps = new Map<string, Map<string, LivePart>>();

  get isEmpty(): boolean {
    return this.steps.size === 0;
  }

  /** Adds what a model says. */
  add(delta: ModelDelta): void {
    const { step, path, part, text, incremental } = delta;
    const { said } = this.partOf(
      part === undefined || part === 'reasoning'
        ? { step, path, part: part ?? 'text' }
        : { step, path, part: 'arguments', call: part.call, toolName: part.toolName },
    );
    said.put(incremental ? said.end : 0, text);
  }

  put(piece: LivePiece): void {
    this.partOf(piece).said.put(piece.at, piece.text);
  }

  /** Forgets a call that has ended. Returns false if it said nothing. */
  end(step: string): boolean {
    return this.steps.delete(step);
  }

  clear(): void {
    this.steps.clear();
  }

  /** Returns the calls that go on, the earliest first, and their parts in the order in which they began. */
  calls(): ReadonlyMap<string, ReadonlyMap<string, LivePart>> {
    return this.steps;
  }

  /**
   * Returns what came since the reader read last, at most `room` units, and whether there is more. A reader that was too slow
   * misses the beginning of what came since.
   */
  take(cursor: LiveCursor, room: number): { readonly pieces: readonly LivePiece[]; readonly isMore: boolean } {
    const pieces: LivePiece[] = [];
    let left = room;
    for (const part of this.partsAfter(cursor.last)) {
      const { said, ...place } = part;
      const read = cursor.read.get(part);
      // A part without text is told once: it has the name of a tool.
      if (read === said.end) continue;
      if (left <= 0) return { pieces, isMore: true };
      const { at, text } = said.from(Math.min(read ?? said.start, said.end), left);
      pieces.push({ ...place, at, text });
      left -= Math.max(text.length, 1);
      cursor.read.set(part, at + text.length);
      cursor.last = part;
      if (at + text.length < said.end) return { pieces, isMore: true };
    }
    return { pieces, isMore: false };
  }

  private partOf({ step, path, part, call, toolName }: Omit<LivePiece, 'at' | 'text'>): LivePart {
    let parts = this.steps.get(step);
    if (parts === undefined) {
      const [oldest] = this.steps.keys();
      if (this.steps.size >= mostCalls && oldest !== undefined) this.steps.delete(oldest);
      parts = new Map();
      this.steps.set(step, parts);
    }
    const key = call === undefined ? part : `${part} ${call}`;
    let found = parts.get(key);
    if (found === undefined) {
      const said = new GrowingText(keptUnits);
      found = call === undefined ? { step, path, part, said } : { step, path, part, call, toolName, said };
      parts.set(key, found);
    }
    return found;
  }

  private partsAfter(last: LivePart | undefined): readonly LivePart[] {
    const parts = [...this.steps.values()].flatMap((some) => [...some.values()]);
    const at = last === undefined ? -1 : parts.indexOf(last);
    return at < 0 ? parts : [...parts.slice(at + 1), ...parts.slice(0, at + 1)];
  }
}

/** Returns what an event ends: the text of a call, or all of them. */
export function endedText(event: SlimEvent): { readonly step: string } | 'all' | undefined {
  if (event.kind === 'run.finished' || event.kind === 'run.resumed') return 'all';
  const step = endedTextStep(event);
  return step === undefined ? undefined : { step };
}
