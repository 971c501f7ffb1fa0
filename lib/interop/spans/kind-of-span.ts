import type { ImportedKind } from '@/lib/interop/log/imported-step';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { conventions } from './conventions/list';
import type { SpanReader } from './reading/span-reader';

/**
 * Returns the kind of a span, by the first convention that knows it, and `unknown` if none does. docs/traces.md has the same table
 * for readers.
 */
export function kindOfSpan(span: ReceivedSpan, reader: SpanReader): ImportedKind {
  for (const convention of conventions) {
    const kind = convention.kind?.(span, reader);
    if (kind !== undefined) return kind;
  }
  return 'unknown';
}
