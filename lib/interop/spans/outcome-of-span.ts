import type { ImportedOutcome } from '@/lib/interop/log/imported-step';
import { noMessage } from '@/lib/interop/log/tool-result';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import type { RunError } from '@/lib/runtime/record/events';
import { conventions } from './conventions/list';
import { asText, type SpanReader } from './reading/span-reader';

export interface SpanOutcome {
  readonly outcome: ImportedOutcome;
  readonly error: RunError | undefined;
}

/** Says how a span ended: by its status, an exception that left it, or what its framework writes. */
export function outcomeOfSpan(span: ReceivedSpan, reader: SpanReader): SpanOutcome {
  const status = reader.text('callboard.status');
  if (status === 'cancelled' || status === 'interrupted') return { outcome: 'cancelled', error: undefined };
  const exception = span.events.find(({ name }) => name === 'exception')?.attributes;
  const own = conventions.map((convention) => convention.failure?.(span, reader)).find((error) => error !== undefined);
  const toolError = reader.text('error.type') === 'tool_error';
  const isFailed = span.failed || own !== undefined || toolError || exception?.['exception.escaped'] === true;
  if (!isFailed) return { outcome: 'ok', error: undefined };
  const code = reader.fact('errorCode') ?? asText(exception?.['exception.type']) ?? own?.code ?? 'failed';
  const said = span.statusMessage ?? reader.fact('errorMessage') ?? asText(exception?.['exception.message']);
  const message = said ?? own?.message ?? noMessage;
  if (/cancel|abort/i.test(code)) return { outcome: 'cancelled', error: { code, message } };
  return { outcome: status === 'timeout' || /timeout/i.test(code) ? 'timeout' : 'failed', error: { code, message } };
}
