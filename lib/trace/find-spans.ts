import { Bytes } from './growable';
import { kindCodes } from './span';
import type { Trace } from './trace';

/** Some spans of a trace. A `Set` of their numbers is one as well. */
export interface SpanPick {
  has(span: number): boolean;
}

/** Spans that were found, as a byte for each span, because a first letter finds most of a run. */
export class FoundSpans implements SpanPick {
  count = 0;
  private readonly mask: Uint8Array;
  private sorted: Uint32Array | undefined;

  constructor(length: number, from?: FoundSpans) {
    this.mask = new Uint8Array(length);
    if (from === undefined) return;
    this.mask.set(from.mask.subarray(0, length));
    this.count = from.count;
  }

  has(span: number): boolean {
    return this.mask[span] === 1;
  }

  add(span: number): void {
    if (this.mask[span] !== 0) return;
    this.mask[span] = 1;
    this.count++;
    this.sorted = undefined;
  }

  /** The numbers of the spans, ascending. */
  get ids(): Uint32Array {
    if (this.sorted !== undefined) return this.sorted;
    const ids = new Uint32Array(this.count);
    for (let span = 0, at = 0; at < this.count; span++) if (this.mask[span] === 1) ids[at++] = span;
    this.sorted = ids;
    return ids;
  }
}

/**
 * Searches names and details (the server of a tool, the phase of a hook) for a text, in any case. Each name is put into lower case
 * once, and compared once however many spans have it. A text that holds the one before looks only at what that found.
 */
export class NameSearch {
  /** The number of names compared so far, for tests and benchmarks. */
  compared = 0;
  private readonly lower: string[] = [];
  private last = '';
  /** 1 for each name that holds `last`, as far as names were known then. */
  private matches = new Uint8Array(0);

  find(trace: Trace, text: string): FoundSpans {
    const { spans } = trace;
    const found = new FoundSpans(spans.length);
    const wanted = text.trim().toLowerCase();
    if (wanted === '') return found;
    const matches = this.namesWith(trace.strings, wanted);
    for (let span = 0; span < spans.length; span++) {
      if (matches[spans.name.at(span)] === 1 || matches[spans.detail.at(span)] === 1) found.add(span);
    }
    return found;
  }

  private namesWith(names: readonly string[], wanted: string): Uint8Array {
    for (let id = this.lower.length; id < names.length; id++) this.lower.push((names[id] ?? '').toLowerCase());
    const before = this.matches;
    const known = this.last !== '' && wanted.includes(this.last) ? before.length : 0;
    const matches = new Uint8Array(names.length);
    for (let id = 0; id < names.length; id++) {
      if (id < known && before[id] === 0) continue;
      this.compared++;
      if (this.lower[id]?.includes(wanted)) matches[id] = 1;
    }
    this.last = wanted;
    this.matches = matches;
    return matches;
  }
}

/** Numbers of events, as a byte for each. */
export class EventPick {
  private readonly mask = new Bytes();
  private readonly list: number[] = [];

  /** Those that were added, in the order in which they came. */
  get seqs(): readonly number[] {
    return this.list;
  }

  add(seq: number): void {
    while (this.mask.length <= seq) this.mask.push(0);
    if (this.mask.at(seq) === 1) return;
    this.mask.data[seq] = 1;
    this.list.push(seq);
  }

  has(seq: number): boolean {
    return this.mask.data[seq] === 1;
  }
}

/** Adds the spans that these events started or ended. */
export function addSpansOf(trace: Trace, events: EventPick, found: FoundSpans): void {
  const { spans } = trace;
  for (let span = 0; span < spans.length; span++) {
    // The event that starts an instance ends its wait too, and is about the instance.
    const ended = spans.kind.at(span) === kindCodes.queued ? 0 : spans.endSeq.at(span);
    if (events.has(spans.startSeq.at(span)) || (ended > 0 && events.has(ended))) found.add(span);
  }
}

/** Returns the lanes of these spans. */
export function lanesOf(trace: Trace, found: FoundSpans): ReadonlySet<number> {
  const lanes = new Set<number>();
  for (const span of found.ids) lanes.add(trace.spans.lane.at(span));
  return lanes;
}

/** The server is asked about at most so many events by their numbers. */
const mostAmong = 500;

/**
 * Returns the events among which a text must be searched, if a shorter text that it holds was found in few. `undefined` means all. A
 * number or a truth value is found only as a whole, so the shorter text says nothing about it.
 */
export function searchedAmong(
  text: string,
  before: { readonly text: string; readonly seqs: readonly number[] } | undefined,
): readonly number[] | undefined {
  if (before === undefined || before.text === '' || before.seqs.length > mostAmong) return undefined;
  if (!text.toLowerCase().includes(before.text.toLowerCase())) return undefined;
  return /^(?:true|false|[-+.\deE]+)$/.test(text) ? undefined : before.seqs;
}
