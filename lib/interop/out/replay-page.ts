import type { RunEvent } from '@/lib/runtime/record/events';
import { payloadText } from '@/lib/trace/payload-text';
import { payloadsOf } from '@/lib/trace/payloads';
import { spanEnd, spanName, type Trace } from '@/lib/trace/trace';
import { replayStyle } from './replay-style';
import { type ReplayData, replayViewer } from './replay-viewer';

/** A text in the page is cut after this many UTF-16 units, and all texts together after `mostText`. */
const longestText = 20_000;
const mostText = 20_000_000;

/**
 * Makes a self-contained HTML page that replays a run: its bars, its history and the texts of each step up to the play-head.
 * It works from a file without a network: its policy allows no request at all.
 */
export function replayPage(trace: Trace, events: Iterable<RunEvent>): string {
  const data = JSON.stringify(dataOf(trace, events)).replace(/</g, '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(trace.run.entryAgent || 'Run')} · Callboard</title>
<style>${replayStyle}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="run">${data}</script>
<script>var __name = function (f) { return f; }; (${replayViewer.toString().replaceAll('</', '<\\/')})();</script>
</body>
</html>
`;
}

function dataOf(trace: Trace, events: Iterable<RunEvent>): ReplayData {
  const { spans, run } = trace;
  const lanes = rowsOf(trace);
  const rowOf = new Map(lanes.map((lane, row) => [lane.index, row]));
  return {
    ...{ title: run.entryAgent, status: run.status ?? 'running', runId: run.runId, end: trace.lastAt },
    started: trace.origin ?? 0,
    lanes: lanes.map(({ instanceName, depth, slots }) => ({ name: instanceName, depth, slots })),
    spans: Array.from({ length: spans.length }, (_, span) => ({
      ...{ lane: rowOf.get(spans.lane.at(span)) ?? 0, kind: spans.kindOf(span), name: spanName(trace, span) },
      ...{ start: spans.start.at(span), end: spanEnd(trace, span, trace.lastAt), status: spans.statusOf(span) },
      slot: spans.kindOf(span) === 'hook' ? 0 : spans.slot.at(span),
      tokens: spans.inputTokens.at(span) + spans.outputTokens.at(span),
      parts: [spans.startSeq.at(span), spans.endSeq.at(span)],
    })),
    ...textsOf(events),
  };
}

function rowsOf(trace: Trace) {
  const rows: Trace['lanes'][number][] = [];
  const open = trace.roots.toReversed();
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const lane = trace.lanes[index];
    if (lane === undefined) continue;
    rows.push(lane);
    for (const child of lane.children.toReversed()) open.push(child);
  }
  return rows;
}

/** Returns the texts of events by `seq`. What does not fit is counted, and the page says so. */
function textsOf(events: Iterable<RunEvent>): Pick<ReplayData, 'texts' | 'leftOut'> {
  const texts: Record<number, (readonly [string, string])[]> = {};
  let left = mostText;
  let leftOut = 0;
  for (const event of events) {
    const parts = payloadsOf(event).map(({ title, value }) => [title, shortened(payloadText(value))] as const);
    if (parts.length === 0) continue;
    const size = parts.reduce((sum, [title, text]) => sum + title.length + text.length, 0);
    if (size > left) {
      leftOut += 1;
      continue;
    }
    left -= size;
    texts[event.seq] = [...parts];
  }
  return { texts, leftOut };
}

function shortened(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}\n… cut: the first ${longestText.toLocaleString('en-US')} of ${text.length.toLocaleString('en-US')} characters`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
