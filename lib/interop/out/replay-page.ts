import type { RunEvent } from '@/lib/runtime/record/events';
import { failureTest } from '@/lib/trace/failures';
import { hookLinePx } from '@/lib/trace/lanes';
import { payloadText } from '@/lib/trace/payload-text';
import { payloadsOf } from '@/lib/trace/payloads';
import { shownEvent } from '@/lib/trace/shown-event';
import { type Lane, spanEnd, spanName, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { replayBars } from './replay-bars';
import type { ReplayData, ReplaySpan } from './replay-data';
import { replaySteps } from './replay-steps';
import { replayStyle } from './replay-style';
import { replayViewer } from './replay-viewer';

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
<script>var __name = function (f) { return f; }; (${script(replayViewer)})(${script(replayBars)}, ${script(replaySteps)}, ${script(formatDuration)});</script>
</body>
</html>
`;
}

/** The text of a function. A bundler may have written `__name` into it, which the page has. */
function script(part: { toString(): string }): string {
  return part.toString().replaceAll('</', '<\\/');
}

const rowPx = 26;
const slotPx = 11;
const padPx = 3;

function dataOf(trace: Trace, events: Iterable<RunEvent>): ReplayData {
  const { run } = trace;
  const rows = rowsOf(trace);
  let y = 0;
  const lanes = rows.map((lane) => {
    const height = heightOf(lane);
    y += height;
    return { name: lane.instanceName, depth: lane.depth, y: y - height, height };
  });
  const isFailure = failureTest(trace);
  const rowOf = new Map(rows.map((lane, row) => [lane.index, row]));
  return {
    ...{ title: run.entryAgent, status: run.status ?? 'running', runId: run.runId, end: trace.lastAt },
    ...{ started: trace.origin ?? 0, lanes },
    spans: Array.from({ length: trace.spans.length }, (_, span) => {
      const row = rowOf.get(trace.spans.lane.at(span)) ?? 0;
      return { ...spanOf(trace, span, row, lanes[row]?.y ?? 0), isFailure: isFailure(span) };
    }),
    ...textsOf(events),
  };
}

function spanOf(trace: Trace, span: number, row: number, rowTop: number): Omit<ReplaySpan, 'isFailure'> {
  const { spans } = trace;
  const { top, height } = placeOf(trace, span);
  return {
    ...{ lane: row, kind: spans.kindOf(span), ink: inkOf(trace, span), name: spanName(trace, span) },
    ...{ start: spans.start.at(span), end: spanEnd(trace, span, trace.lastAt), status: spans.statusOf(span) },
    ...{ y: rowTop + top, height },
    tokens: spans.inputTokens.at(span) + spans.outputTokens.at(span),
    // The event of a framework's span is the event of the step that took it in, whose texts are not its own.
    parts: spans.kindOf(span) === 'framework' ? [] : [spans.startSeq.at(span), spans.endSeq.at(span)],
  };
}

/** All calls that run at once have a place of their own: nothing is counted here as it is in the app. */
function barsOf(lane: Pick<Lane, 'slots'>): number {
  return Math.max(rowPx - 2 * padPx, lane.slots * slotPx + 2);
}

function heightOf(lane: Pick<Lane, 'slots' | 'hookSlots'>): number {
  return barsOf(lane) + 2 * padPx + lane.hookSlots * hookLinePx;
}

/** Returns the place of a bar from the top of its row, in CSS pixels. */
function placeOf(trace: Trace, span: number): { readonly top: number; readonly height: number } {
  const lane = trace.lanes[trace.spans.lane.at(span)] ?? { slots: 1, hookSlots: 0 };
  const slot = trace.spans.slot.at(span);
  const inner = barsOf(lane);
  const steps = { top: padPx + 2, height: inner - 4 };
  switch (trace.spans.kindOf(span)) {
    case 'instance':
    case 'queued':
      return { top: padPx, height: inner + lane.hookSlots * hookLinePx };
    case 'hook':
    case 'framework':
      return { top: padPx + inner + slot * hookLinePx + 1, height: 3 };
    case 'decision':
      return { top: padPx, height: 3 };
    case 'model':
    case 'setup':
      return steps;
    case 'tool':
      if (trace.spans.sourceOf(span) === 'agent') return { top: padPx + (inner - 3) / 2, height: 3 };
      return lane.slots === 1 ? steps : { top: padPx + 2 + slot * slotPx, height: slotPx - 1 };
    case 'waiting':
      return lane.slots === 1 ? steps : { top: padPx + 2 + slot * slotPx, height: slotPx - 1 };
  }
}

/** Returns the name of a bar's colour in the style of the page. */
function inkOf(trace: Trace, span: number): string {
  const kind = trace.spans.kindOf(span);
  if (kind === 'instance') return 'agent-soft';
  if (kind === 'decision') return 'accent';
  if (kind === 'waiting') return 'warn';
  if (kind === 'framework') return 'muted';
  if (kind !== 'tool') return kind;
  switch (trace.spans.sourceOf(span)) {
    case 'mcp':
      return 'server';
    case 'function':
      return 'function';
    case 'runtime':
      return 'builtin';
    case 'agent':
    case 'none':
      return 'agent';
  }
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
    const parts = payloadsOf(shownEvent(event)).map(
      ({ title, value }) => [title, shortened(payloadText(value))] as const,
    );
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
