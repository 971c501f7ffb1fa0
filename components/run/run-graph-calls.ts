import type { PictureNode } from '@/lib/graph/picture';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';

/**
 * Counts the calls that began up to a moment (microseconds since the origin; without one: so far), by `callKey`. Calls to
 * servers are counted by the server's name, those of functions by the tool's. A refused call does not count, because it
 * reached neither.
 */
export function toolCalls(trace: Trace, moment?: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const { spans } = trace;
  for (let span = 0; span < spans.length; span++) {
    if (spans.kindOf(span) !== 'tool' || spans.has(span, 'refused')) continue;
    if (moment !== undefined && spans.start.at(span) > moment) continue;
    const source = spans.sourceOf(span);
    if (source !== 'mcp' && source !== 'function') continue;
    const key =
      source === 'mcp' ? callKey('server', spanDetail(trace, span)) : callKey('function', spanName(trace, span));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export function callKey(kind: PictureNode['kind'], name: string): string {
  return `${kind} ${name}`;
}
