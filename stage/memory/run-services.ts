import { cutText, wellFormed } from '@/lib/base/well-formed';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { RunInfo } from '@/lib/client/run-info';
import { layoutGraph } from '@/lib/graph/layout';
import { pictureOf } from '@/lib/graph/picture';
import { projectGraph } from '@/lib/graph/project';
import type { RunEvent } from '@/lib/runtime/record/events';
import { encodeTrace } from '@/lib/trace/columns';
import { usageByModel } from '@/lib/trace/cost';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { eventHolds } from '@/lib/trace/event-texts';
import { foldEvent } from '@/lib/trace/fold';
import { FrameworkFold } from '@/lib/trace/framework-fold';
import { LiveCursor } from '@/lib/trace/live-texts';
import { conversationOf, modelCallJson } from '@/lib/trace/model-conversation';
import { resolveRequest } from '@/lib/trace/model-request';
import { previewOf } from '@/lib/trace/payloads';
import { partPage, shortEvent } from '@/lib/trace/short-event';
import { type SlimEvent, slimEvent } from '@/lib/trace/slim-event';
import { pageUnits } from '@/lib/trace/text-pages';
import type { Trace } from '@/lib/trace/trace';
import { actionsOf } from './actions-of';
import { type Answers, ofCall, Refusal } from './backend';
import type { RecordedRun } from './record-run';
import { sendTo, serveStream } from './streams';

/** How long the run waited for a worker, in milliseconds. */
const queuedMs = 40;
/** The most text of models in one message, in UTF-16 units. */
const roomOfMessage = 100_000;

/** Returns a run as pages show it. */
export function infoOf(run: RecordedRun, rest: Partial<RunInfo> = {}): RunInfo {
  const trace = traceOf(run);
  const started = run.events[0]?.at ?? run.clock.now();
  const last = run.events.at(-1);
  const end = last?.kind === 'run.finished' ? last : undefined;
  return {
    ...{ id: run.id, projectId: 'desk', projectName: 'Desk', source: 'callboard', treeHash: 'a'.repeat(64) },
    ...{ status: end?.status ?? 'running', entryAgent: trace.run.entryAgent, model: undefined },
    ...{ message: wellFormed(run.input.message), correlationId: trace.run.correlationId, scripted: trace.run.scripted },
    ...{ createdAt: started - queuedMs, startedAt: started, finishedAt: end?.at },
    answer: end?.answer === undefined ? undefined : wellFormed(cutText(end.answer, pageUnits)),
    ...{ error: end?.error, usage: trace.run.usage },
    modelUsage: end === undefined ? undefined : usageByModel(trace),
    ...rest,
  };
}

function traceOf({ events }: RecordedRun, view: (event: RunEvent) => SlimEvent = slimEvent): Trace {
  const trace = emptyTrace();
  for (const event of events) foldEvent(trace, view(event));
  return trace;
}

/** Returns the trace with the spans of the framework of an imported run. */
function wholeTraceOf({ events }: RecordedRun): Trace {
  const trace = emptyTrace();
  const fold = new FrameworkFold(trace);
  for (const event of events) fold.take(event);
  return trace;
}

/** Answers what the page of a run asks, and streams what happens in it. */
export function runServices(run: RecordedRun): Answers {
  streamRun(run);
  const at = `GET /api/v1/runs/${run.id}`;
  const eventOf = (seq: string | undefined): RunEvent => {
    const found = run.events[Number(seq) - 1];
    if (found === undefined) throw new Refusal('not_found', `The run has no event ${seq} yet.`, 404);
    return found;
  };
  return {
    [at]: () => infoOf(run),
    [`${at}/timeline`]: ofCall(({ query }) =>
      query.spans === 'all' ? answerWith(run, wholeTraceOf(run)) : timeline(run),
    ),
    [`${at}/graph`]: () => graph(run),
    [`${at}/otlp`]: () => new Response('{"resourceSpans":[]}'),
    [`${at}/events`]: ofCall(({ query }) => {
      const found = (query.seq ?? '').split(',').map(eventOf);
      if (query.view === 'short') return found.map(shortEvent);
      return found.map((event) => ({ seq: event.seq, text: previewOf(event, 160) }));
    }),
    [`${at}/events/:seq`]: ofCall(({ params, query }) => {
      const isFile = query.as === 'file';
      const length = isFile ? Number.MAX_SAFE_INTEGER : pageUnits;
      const page = partPage(eventOf(params.seq), Number(query.part), isFile ? 0 : Number(query.offset), length);
      return isFile ? new Response(page?.text) : page;
    }),
    [`${at}/search`]: ofCall(({ query }) => {
      const wanted = (query.text ?? '').toLowerCase();
      const among = query.among?.split(',').map(Number);
      const isAsked = ({ seq }: RunEvent) => seq > Number(query.after) && (among?.includes(seq) ?? true);
      return {
        seqs: run.events.filter((event) => isAsked(event) && eventHolds(event, wanted)).map(({ seq }) => seq),
      };
    }),
    [`${at}/model-calls/:seq`]: ofCall(({ params, query }) => modelCall(run, eventOf(params.seq), query)),
    ...actionsOf<typeof import('@/app/r/[run]/actions')>('r/[run]/actions', { stop: () => run.stop() }),
  };
}

/** Answers the run so far as columns, folded from what `view` leaves of its events. */
export function timeline(run: RecordedRun, view?: (event: RunEvent) => SlimEvent): Response {
  return answerWith(run, traceOf(run, view));
}

function answerWith(run: RecordedRun, trace: Trace): Response {
  const zipped = new Response(encodeTrace(trace)).body?.pipeThrough(new CompressionStream('gzip'));
  return new Response(zipped, {
    headers: { 'Callboard-Time': String(run.clock.now()), 'Callboard-Version': '0' },
  });
}

async function graph({ input }: RecordedRun) {
  const parsed = readFolder(folderOf(input.files));
  const drawn = projectGraph(parsed);
  return pictureOf(drawn, await layoutGraph(drawn, parsed.settings.canvas.positions));
}

function modelCall(run: RecordedRun, call: RunEvent, query: Readonly<Record<string, string>>) {
  if (call.kind !== 'model.started') throw new Refusal('not_found', 'The event starts no model call.', 404);
  const resolved = resolveRequest(call, run.events);
  if (!('request' in resolved)) throw new Refusal('not_found', 'The log does not have the request.', 404);
  const { request } = resolved;
  const ended = run.events.find(
    (event): event is Extract<RunEvent, { kind: 'model.ended' }> =>
      event.kind === 'model.ended' && event.step === call.step,
  );
  const entries = conversationOf(request, query.answer === 'no' ? undefined : ended);
  if (query.as === 'json') {
    const text = JSON.stringify(modelCallJson(call, request, ended), null, 2);
    return { title: 'JSON', total: text.length, text, offset: 0 };
  }
  return {
    ...{ count: entries.length, from: 0, tools: request.tools, params: request.params, format: request.format },
    entries: entries.map((entry) => ({ ...entry, total: entry.text.length })),
  };
}

/** Streams a run to its readers as the server does: its events, and pieces of what models say. */
function streamRun(run: RecordedRun): void {
  const path = `/api/v1/runs/${run.id}/events`;
  const cursor = new LiveCursor();
  let sent = run.events.length;
  const hasEnded = () => run.events.at(-1)?.kind === 'run.finished';
  run.listen(() => {
    const fresh = run.events.slice(sent);
    sent = run.events.length;
    if (fresh.length > 0) sendTo(path, fresh.map(slimEvent));
    const { pieces } = run.texts.take(cursor, roomOfMessage);
    if (pieces.length > 0) sendTo(path, pieces, 'text');
    if (hasEnded()) sendTo(path, {}, 'end');
  });
  serveStream(path, (stream) => {
    const after = Number(new URL(stream.url).searchParams.get('after'));
    stream.send(run.events.slice(after, sent).map(slimEvent));
    stream.send(run.texts.take(new LiveCursor(), roomOfMessage).pieces, 'text');
    if (hasEnded()) stream.send({}, 'end');
  });
}
