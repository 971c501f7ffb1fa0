import { isRecord } from '@/lib/base/json';
import type { ReceivedLog } from './otlp/received-log';
import type { ReceivedSpan, SpanEvent } from './otlp/received-span';

/**
 * Gives each log record to the span that it names, as an event of that span. Records that name none, or one that has not arrived, go to
 * the first span without a parent. An exception makes its span failed. Only records, and no spans yet, make one span that holds them.
 */
export function spansWithLogs(spans: readonly ReceivedSpan[], logs: readonly ReceivedLog[]): readonly ReceivedSpan[] {
  const [first] = logs;
  if (first === undefined) return spans;
  const all = spans.length > 0 ? spans : [spanFor(first, logs)];
  const known = new Set(all.map(({ spanId }) => spanId));
  const top = (all.find(({ parentId }) => parentId === undefined) ?? all[0])?.spanId ?? '';
  const bySpan = new Map<string, ReceivedLog[]>();
  for (const log of logs) {
    const owner = log.spanId !== undefined && known.has(log.spanId) ? log.spanId : top;
    const list = bySpan.get(owner) ?? [];
    list.push(log);
    bySpan.set(owner, list);
  }
  return all.map((span) => withLogs(span, bySpan.get(span.spanId) ?? []));
}

function withLogs(span: ReceivedSpan, logs: readonly ReceivedLog[]): ReceivedSpan {
  if (logs.length === 0) return span;
  const ordered = logs.toSorted((a, b) => a.at - b.at);
  const exception = ordered.find(({ name }) => name === 'exception');
  const said = exception?.attributes['exception.message'] ?? exception?.body;
  return {
    ...span,
    events: [...span.events, ...ordered.map(eventOf)],
    failed: span.failed || exception !== undefined,
    statusMessage: span.statusMessage ?? (typeof said === 'string' ? said : undefined),
  };
}

/** What a record has as its body, an event of a span has among its attributes. */
function eventOf({ name, at, body, severity, attributes }: ReceivedLog): SpanEvent {
  return {
    name,
    at,
    attributes: {
      ...(isRecord(body) ? body : body === undefined ? {} : { body }),
      ...(severity !== undefined && { severity }),
      ...attributes,
    } as SpanEvent['attributes'],
  };
}

function spanFor({ traceId, resource }: ReceivedLog, logs: readonly ReceivedLog[]): ReceivedSpan {
  const times = logs.map(({ at }) => at);
  return {
    ...{
      traceId,
      spanId: '0'.repeat(16),
      name: 'logs',
      scope: '',
      resource,
      attributes: {},
      events: [],
      failed: false,
    },
    start: Math.min(...times),
    end: Math.max(...times),
  };
}
