import { type Lane, spanDetail, spanEnd, spanName, type Trace } from '@/lib/trace/trace';

/**
 * An event of Chrome's trace format ("Trace Event Format", Google), which Perfetto and the browser's developer tools open.
 * Times are in microseconds.
 */
export interface ChromeEvent {
  readonly ph: 'X' | 'M' | 's' | 'f';
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly cat?: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly bp?: 'e';
  readonly args?: Readonly<Record<string, string | number>>;
}

/**
 * Yields a run as trace events. Each lane is a thread. Perfetto wants spans of one thread to nest, so spans of a lane that
 * overlap without one being inside the other go to further threads of that lane. Arrows lead from a delegation to its child.
 */
export function* chromeTrace(trace: Trace): Generator<ChromeEvent> {
  const now = trace.lastAt;
  let tid = 0;
  yield { ph: 'M', pid: 1, tid: 0, name: 'process_name', args: { name: `${trace.run.entryAgent} ${trace.run.runId}` } };
  const threads = new Map<number, number>();
  for (const lane of inOrder(trace)) {
    const tracks = tracksOf(trace, lane, now);
    for (const [number, spans] of tracks.entries()) {
      tid += 1;
      const name = number === 0 ? lane.path : `${lane.path} (${number + 1})`;
      yield { ph: 'M', pid: 1, tid, name: 'thread_name', args: { name } };
      yield { ph: 'M', pid: 1, tid, name: 'thread_sort_index', args: { sort_index: tid } };
      for (const span of spans) {
        threads.set(span, tid);
        yield complete(trace, span, tid, now);
      }
    }
  }
  for (const lane of trace.lanes) {
    const from = lane.parentSpan === undefined ? undefined : threads.get(lane.parentSpan);
    const [first] = tracksStart(trace, lane);
    const to = first === undefined ? undefined : threads.get(first);
    if (from === undefined || to === undefined || first === undefined || lane.parentSpan === undefined) continue;
    const flow = { pid: 1, name: 'delegation', cat: 'delegation', id: lane.index } as const;
    yield { ...flow, ph: 's', tid: from, ts: trace.spans.start.at(lane.parentSpan) };
    yield { ...flow, ph: 'f', bp: 'e', tid: to, ts: trace.spans.start.at(first) };
  }
}

function complete(trace: Trace, span: number, tid: number, now: number): ChromeEvent {
  const { spans } = trace;
  const start = spans.start.at(span);
  const detail = spanDetail(trace, span);
  const tokens = { input_tokens: spans.inputTokens.at(span), output_tokens: spans.outputTokens.at(span) };
  return {
    ...{ ph: 'X', pid: 1, tid, name: spanName(trace, span), cat: spans.kindOf(span) },
    ...{ ts: start, dur: spanEnd(trace, span, now) - start },
    args: {
      status: spans.statusOf(span),
      ...(detail !== '' && { detail }),
      ...(tokens.input_tokens + tokens.output_tokens > 0 && tokens),
    },
  };
}

/** Lanes as the timeline has them: each below its parent, in call order. */
function* inOrder(trace: Trace): Generator<Lane> {
  const open = trace.roots.toReversed();
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const lane = trace.lanes[index];
    if (lane === undefined) continue;
    yield lane;
    for (const child of lane.children.toReversed()) open.push(child);
  }
}

function tracksStart(trace: Trace, lane: Lane): readonly number[] {
  return lane.spans.length === 0 ? [] : [lane.spans.ids.at(0)].filter((span) => span < trace.spans.length);
}

/** Divides the spans of a lane into tracks in which any two spans nest or follow each other. */
function tracksOf(trace: Trace, lane: Lane, now: number): readonly (readonly number[])[] {
  const { spans } = trace;
  const ids = Array.from({ length: lane.spans.length }, (_, place) => lane.spans.ids.at(place));
  const end = (span: number) => spanEnd(trace, span, now);
  ids.sort((a, b) => spans.start.at(a) - spans.start.at(b) || end(b) - end(a) || a - b);
  const tracks: { readonly spans: number[]; readonly open: number[] }[] = [];
  for (const span of ids) {
    const start = spans.start.at(span);
    const fits = tracks.find(({ open }) => {
      while (open.length > 0 && (open.at(-1) ?? 0) <= start && !(open.at(-1) === start && end(span) === start))
        open.pop();
      return open.length === 0 || (open.at(-1) ?? 0) >= end(span);
    });
    const track = fits ?? { spans: [], open: [] };
    if (fits === undefined) tracks.push(track);
    track.spans.push(span);
    track.open.push(end(span));
  }
  return tracks.map((track) => track.spans);
}
