import { kindCodes } from './span';
import type { Trace } from './trace';

/**
 * Finds the spans with a name or a detail (the server of a tool, the phase of a hook) that holds a text, in any case. Names are
 * compared once each, however many spans have them.
 */
export function spansNamed(trace: Trace, text: string): readonly number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const matches = new Uint8Array(trace.strings.length);
  for (const [id, name] of trace.strings.entries()) if (name.toLowerCase().includes(wanted)) matches[id] = 1;
  const { spans } = trace;
  const found: number[] = [];
  for (let span = 0; span < spans.length; span++) {
    if (matches[spans.name.at(span)] === 1 || matches[spans.detail.at(span)] === 1) found.push(span);
  }
  return found;
}

/** Returns the spans that the events with these numbers started or ended, in order and without duplicates. */
export function spansOfSeqs(trace: Trace, seqs: ReadonlySet<number>): readonly number[] {
  const { spans } = trace;
  const found: number[] = [];
  if (seqs.size === 0) return found;
  for (let span = 0; span < spans.length; span++) {
    // The event that starts an instance ends its wait too, and is about the instance.
    const ended = spans.kind.at(span) === kindCodes.queued ? 0 : spans.endSeq.at(span);
    if (seqs.has(spans.startSeq.at(span)) || (ended > 0 && seqs.has(ended))) found.push(span);
  }
  return found;
}
