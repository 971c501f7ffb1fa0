import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { eventFormat, readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import { readEvent, readEventText, readStoredEvents, type StoredEvent } from '@/lib/store/events';
import { readRunVersion } from '@/lib/store/imported-runs';
import { findRun } from '@/lib/store/runs';
import { type WatchedPage, watchPages } from '@/lib/store/watch-pages';
import { isActive, type RunState } from '@/lib/trace/run-state';
import { type SlimEvent, slimEvent } from '@/lib/trace/slim-event';
import { withoutTexts } from '@/lib/trace/without-texts';
import { counted } from './limits/open-streams';
import { oneAtATime } from './one-at-a-time';
import type { Services } from './services';
import { eventSeenBy, viewOf } from './shared-view';
import { withLiveTexts } from './with-live-texts';

/**
 * Server-sent events of a run, as text in small parts. A slow reader keeps at most one part in memory: the next part is read
 * from the database only after the previous one was taken, and begins after the last `seq` that was sent.
 */

/** The approximate size of one part. */
const partBytes = 32 * 1024;
/** A larger event is sent in parts of this many characters. */
const partChars = 128 * 1024;
/** The number of events of one slim part, and the largest size of their payloads together, which are read and left out. */
const slimEvents = 500;
const slimBytes = 1024 * 1024;

type Sources = Pick<Services, 'store' | 'runEvents'> & Partial<Pick<Services, 'liveTexts'>>;

interface Watched {
  readonly actor: Actor;
  readonly id: RunId;
  readonly after: number;
  readonly signal: AbortSignal;
}

const endMessage = 'event: end\ndata: {}\n\n';

/**
 * Opens a stream of events, with the texts of model calls under way between them; `bare` has no texts at all. It counts as `counted` says,
 * which may throw.
 */
export function openRunStream(
  services: Sources,
  run: Watched,
  view: 'full' | 'slim' | 'bare',
): AsyncIterableIterator<string> {
  const events = view === 'full' ? fullParts(services, run) : slimParts(services, run, view);
  const { liveTexts } = services;
  return counted(
    run,
    liveTexts === undefined || view === 'bare'
      ? events
      : withLiveTexts(events, (onNews) => liveTexts.open(run.id, onNews)),
  );
}

/**
 * Opens a stream of the states of a run, which begins with the present one and ends with the last one. A state may come
 * several times. It counts as a call.
 */
export function openStateStream(services: Sources, run: Omit<Watched, 'after'>): AsyncIterableIterator<RunState> {
  return counted({ ...run, kind: 'call' }, states(services, run));
}

/**
 * Opens a stream of the versions of a run after `after`: an imported run has a new one when its events were replaced. It counts
 * like a stream of events.
 */
export function openVersionStream(services: Sources, run: Watched): AsyncIterableIterator<string> {
  return counted(run, versions(services, run));
}

/** Yields one message per event. The id of the message is the event's `seq`. */
async function* fullParts({ store, runEvents }: Sources, run: Watched): AsyncGenerator<string> {
  const read = async (after: number): Promise<WatchedPage<readonly StoredEvent[]> | undefined> => {
    const limits = { limit: slimEvents, maxBytes: partBytes, maxBodyBytes: partBytes };
    return pageOf(await readStoredEvents(store, run.id, { after, ...limits }), (events) => events);
  };
  for await (const events of watchPages(store, runEvents, systemClock, run, read)) {
    let text = '';
    for (const event of events) {
      const { seq } = event;
      const body = await textOf(store, run, event);
      if (body !== undefined) {
        text += `id: ${seq}\ndata: ${body}\n\n`;
        continue;
      }
      yield `${text}id: ${seq}\ndata: `;
      text = '';
      for (let from = 0; ; from += partChars) {
        const part = await readEventText(store, run.id, seq, { from, length: partChars });
        if (part === '') break;
        yield part;
      }
      yield '\n\n';
    }
    if (text !== '') yield text;
  }
  if (!run.signal.aborted) yield endMessage;
}

/**
 * Returns the text of an event, or `undefined` for a large one that is sent in parts as it is stored. One of an earlier format must be
 * upgraded, and a share link does not see all of the first event.
 */
async function textOf(
  store: Services['store'],
  { id, actor }: Watched,
  { seq, kind, format, body }: StoredEvent,
): Promise<string | undefined> {
  const isAsStored = kind !== 'run.started' || viewOf(actor) === 'whole';
  if (isAsStored && (body !== undefined || format === eventFormat)) return body;
  const event = await oneAtATime(() => readEvent(store, id, seq));
  return event && JSON.stringify(eventSeenBy(actor, event));
}

/** Yields one message for several events, without payloads. The id of the message is the `seq` of the last event. */
async function* slimParts({ store, runEvents }: Sources, run: Watched, view: 'slim' | 'bare'): AsyncGenerator<string> {
  const strip = view === 'bare' ? await bareEvents(store, run.id) : slimEvent;
  const read = async (after: number): Promise<WatchedPage<string> | undefined> => {
    const limits = { limit: slimEvents, maxBytes: slimBytes, maxBodyBytes: slimBytes };
    const events = await readStoredEvents(store, run.id, { after, ...limits });
    const slim: SlimEvent[] = [];
    for (const event of events) {
      slim.push(
        event.body === undefined
          ? await slimOfLarge(store, run.id, event.seq, { view, strip })
          : strip(readEventRecord(eventFormat, event.body)),
      );
    }
    return pageOf(events, (some) => `id: ${some.at(-1)?.seq}\ndata: ${JSON.stringify(slim)}\n\n`);
  };
  yield* watchPages(store, runEvents, systemClock, run, read);
  if (!run.signal.aborted) yield endMessage;
}

async function bareEvents(store: Services['store'], runId: RunId): Promise<(event: RunEvent) => SlimEvent> {
  const { correlationId } = await findRun(store, runId, 0);
  return (event) => withoutTexts(event, correlationId);
}

async function* states({ store, runEvents }: Sources, run: Omit<Watched, 'after'>): AsyncGenerator<RunState> {
  // Before the first event a run has the number 0, which must count as news once.
  const read = async (after: number): Promise<WatchedPage<RunState> | undefined> => {
    const { status, lastSeq } = await findRun(store, run.id, 0);
    return lastSeq <= after ? undefined : { lastSeq, isLast: !isActive(status), value: status };
  };
  yield* watchPages(store, runEvents, systemClock, { ...run, after: -1 }, read);
}

async function* versions({ store, runEvents }: Sources, run: Watched): AsyncGenerator<string> {
  let last = run.after;
  const read = async (): Promise<WatchedPage<string> | undefined> => {
    const version = await readRunVersion(store, run.id);
    if (version === undefined || version <= last) return undefined;
    last = version;
    // The events of an imported run end although more may replace them, so its stream never sees a last number.
    return { lastSeq: -1, isLast: false, value: `id: ${version}\ndata: ${version}\n\n` };
  };
  yield* watchPages(store, runEvents, systemClock, { ...run, after: -1 }, read);
  if (!run.signal.aborted) yield endMessage;
}

function pageOf<T>(
  events: readonly StoredEvent[],
  value: (events: readonly StoredEvent[]) => T,
): WatchedPage<T> | undefined {
  const last = events.at(-1);
  return last && { lastSeq: last.seq, isLast: last.kind === 'run.finished', value: value(events) };
}

const mostKept = 1_000;

/**
 * Returns a large event without its payloads. Many readers of a run may need the same one at once, so it is read once, and
 * large events are read one after another.
 */
async function slimOfLarge(
  store: Services['store'],
  runId: RunId,
  seq: number,
  { view, strip }: { readonly view: 'slim' | 'bare'; readonly strip: (event: RunEvent) => SlimEvent },
): Promise<SlimEvent> {
  const kept = keptEvents();
  const key = `${runId}:${seq}:${view}`;
  const known = kept.get(key);
  if (known !== undefined) return await known;
  const reading = oneAtATime(async () => {
    const event = await readEvent(store, runId, seq);
    if (event === undefined) throw new AppError('not_found', `The run has no event ${seq} any more.`);
    return strip(event);
  });
  kept.set(key, reading);
  reading.catch(() => kept.delete(key));
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return await reading;
}

/** Kept on `globalThis`, because Next evaluates modules more than once. The first is the oldest. */
const holder: { callboardSlimEvents?: Map<string, Promise<SlimEvent>> } = globalThis as never;

function keptEvents(): Map<string, Promise<SlimEvent>> {
  holder.callboardSlimEvents ??= new Map();
  return holder.callboardSlimEvents;
}
