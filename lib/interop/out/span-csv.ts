import { spanDetail, spanEnd, spanName, type Trace } from '@/lib/trace/trace';

const columns = [
  ...['instance', 'kind', 'name', 'detail', 'source', 'status', 'attempt'],
  ...['start_ms', 'duration_ms', 'input_tokens', 'output_tokens', 'seq'],
];

/**
 * Yields a run as CSV (RFC 4180), a row for each span in the order of their start. Times are milliseconds since the run's
 * first event. A text that a spreadsheet would take for a formula begins with an apostrophe.
 */
export function* spanCsv(trace: Trace): Generator<string> {
  const { spans, lanes } = trace;
  yield `${columns.join(',')}\r\n`;
  for (let span = 0; span < spans.length; span += 1) {
    const start = spans.start.at(span);
    const row = [
      ...[lanes[spans.lane.at(span)]?.path ?? '', spans.kindOf(span), spanName(trace, span), spanDetail(trace, span)],
      ...[spans.sourceOf(span), spans.statusOf(span), spans.attempt.at(span), start / 1000],
      ...[(spanEnd(trace, span, trace.lastAt) - start) / 1000, spans.inputTokens.at(span), spans.outputTokens.at(span)],
      spans.startSeq.at(span),
    ];
    yield `${row.map(cell).join(',')}\r\n`;
  }
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
