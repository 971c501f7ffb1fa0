import { type Check, listOf } from '@/lib/base/check';
import { isRecord, parseJson } from '@/lib/base/json';
import type { Picture } from '@/lib/graph/picture';
import type { LivePiece } from '@/lib/trace/live-texts';
import type { ShortEvent } from '@/lib/trace/short-event';
import type { SlimEvent } from '@/lib/trace/slim-event';
import type { PartPage } from '@/lib/trace/text-pages';
import { get, getChecked, RequestError } from './ask';
import { openLasting } from './lasting-stream';
import { runAddress, timelineAddress } from './run-address';

/** Loads the pages of a text that is too long to be loaded as a whole. */
export interface PartPages {
  /** The length of the whole text in UTF-16 units. */
  readonly total: number;
  /** Loads one page. Rejects with a sentence that users may see. */
  load(offset: number): Promise<Pick<PartPage, 'text' | 'offset'>>;
  /** Loads all of the text. Rejects with a sentence that users may see. */
  loadWhole(): Promise<string>;
  /** The address of the whole text as a file. */
  readonly href: string;
}

/** One line of a call's arguments or result. */
export interface EventPreview {
  readonly seq: number;
  readonly text: string;
}

export interface StreamReader {
  onEvents(events: readonly SlimEvent[]): void;
  /** Called with what models say in calls that go on. A text may come before the start of its call, or after its end. */
  onTexts(pieces: readonly LivePiece[]): void;
  /** Called when the stream is complete and no more events follow. */
  onEnd(): void;
  /** Called when the connection broke. The caller opens a new stream. `refused` is the sentence of a server that refused the stream. */
  onBroken(refused?: string): void;
}

/** Loads the recorded events of a run, over HTTP in the app and from memory in tests. */
export interface RunSource {
  /**
   * Loads the run so far as columns, and the server's clock in epoch milliseconds. With `allSpans` an imported run has the spans of
   * its framework too. Rejects with a sentence that users may see.
   */
  loadTrace(
    signal: AbortSignal,
    options?: { readonly allSpans: boolean },
  ): Promise<{ readonly bytes: Uint8Array; readonly serverNow: number; readonly version?: number }>;
  /**
   * Calls back when the events of the run were replaced after `version`. Returns a function that ends it. Unset for runs whose
   * events are never replaced, which are all that are executed here.
   */
  readonly watchVersions?: ((version: number, onNewer: () => void) => () => void) | undefined;
  /** Streams the events after `after`. Returns a function that closes the stream. After `onEnd` or `onBroken` nothing more is called. */
  openStream(after: number, reader: StreamReader): () => void;
  /** Loads at most 100 events, in the order asked for. Long texts are cut, and the event says so. */
  loadEvents(seqs: readonly number[]): Promise<readonly ShortEvent[]>;
  /** Loads one line of each call's arguments or result, because a history of large results must not fetch them all. */
  loadPreviews(seqs: readonly number[]): Promise<readonly EventPreview[]>;
}

/** Checks only the fields that every kind has, because thousands of events a second may arrive. The others are trusted. */
function isEvent(value: unknown): value is { readonly seq: number; readonly kind: string } {
  return isRecord(value) && typeof value.seq === 'number' && typeof value.kind === 'string';
}

function isPiece(value: unknown): value is LivePiece {
  if (!isRecord(value)) return false;
  return typeof value.step === 'string' && typeof value.at === 'number' && typeof value.text === 'string';
}

const areSlim = listOf<SlimEvent>((value): value is SlimEvent => isEvent(value));
const areShort = listOf<ShortEvent>((value): value is ShortEvent => isEvent(value));
const arePreviews = listOf<EventPreview>(
  (value): value is EventPreview => isRecord(value) && typeof value.seq === 'number' && typeof value.text === 'string',
);
const isPartPage: Check<PartPage> = (value): value is PartPage =>
  isRecord(value) &&
  typeof value.title === 'string' &&
  typeof value.text === 'string' &&
  typeof value.offset === 'number' &&
  typeof value.total === 'number';
const isPicture: Check<Picture> = (value): value is Picture =>
  isRecord(value) && Array.isArray(value.nodes) && Array.isArray(value.edges);

/** Loads events from the HTTP API of this server. `isImported` runs may get other events later. */
export function httpRunSource(runId: string, { isImported = false } = {}): RunSource {
  const base = runAddress(runId);
  return {
    async loadTrace(signal, options) {
      const response = await get(timelineAddress(runId, options?.allSpans), { signal });
      const serverNow = Number(response.headers.get('callboard-time')) || Date.now();
      const unzipped = response.body?.pipeThrough(new DecompressionStream('gzip'));
      const version = Number(response.headers.get('callboard-version')) || 0;
      return { bytes: new Uint8Array(await new Response(unzipped).arrayBuffer()), serverNow, version };
    },
    watchVersions: isImported ? (version, onNewer) => watchVersions(base, version, onNewer) : undefined,
    openStream(after, reader) {
      const address = `${base}/events?view=slim&after=${after}`;
      const stream = new EventSource(address);
      const closed = new AbortController();
      const broken = (refused?: string) => {
        stream.close();
        if (!closed.signal.aborted) reader.onBroken(refused);
        closed.abort();
      };
      stream.onmessage = (message: MessageEvent<string>) => {
        const events: unknown = parseJson(message.data);
        if (areSlim(events)) reader.onEvents(events);
        else broken();
      };
      stream.addEventListener('text', (message: MessageEvent<string>) => {
        // A malformed text is dropped, because the event at the end of the call has it.
        const pieces = parseJson(message.data);
        if (Array.isArray(pieces)) reader.onTexts(pieces.filter(isPiece));
      });
      stream.addEventListener('end', () => {
        stream.close();
        reader.onEnd();
      });
      // The browser's own reconnect has no backoff and gives up on an HTTP error, so we close the stream and open a new one.
      stream.onerror = async () => {
        const isRefused = stream.readyState === EventSource.CLOSED;
        broken(isRefused ? await whyRefused(address, closed.signal) : undefined);
      };
      return () => {
        closed.abort();
        stream.close();
      };
    },
    loadEvents: (seqs) => getChecked(`${base}/events?view=short&seq=${seqs.join(',')}`, areShort),
    loadPreviews: (seqs) => getChecked(`${base}/events?view=preview&seq=${seqs.join(',')}`, arePreviews),
  };
}

/** A browser does not say why it got no stream, so the address is asked once more. */
async function whyRefused(address: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await get(address, { headers: { Accept: 'text/event-stream' }, signal });
    await response.body?.cancel();
    return undefined;
  } catch (error) {
    return error instanceof RequestError && error.status !== 0 ? error.message : undefined;
  }
}

/** The browser reconnects with the last version as `Last-Event-ID`. A version that comes twice does no harm. */
function watchVersions(base: string, version: number, onNewer: () => void): () => void {
  return openLasting(`${base}/versions?after=${version}`, (stream) => {
    stream.onmessage = onNewer;
    stream.addEventListener('end', () => stream.close());
  });
}

/** Returns the pages of a part of an event, or `undefined` if the part was not cut. */
export function partPages(runId: string, event: ShortEvent, part: number): PartPages | undefined {
  const cut = event.cut?.find((one) => one.part === part);
  if (cut === undefined) return undefined;
  const base = `${runAddress(runId)}/events/${event.seq}?part=${part}`;
  const href = `${base}&as=file`;
  return {
    total: cut.total,
    load: (offset) => getChecked(`${base}&offset=${offset}`, isPartPage),
    loadWhole: async () => await (await get(href)).text(),
    href,
  };
}

/** Loads the graph that the run was started with. Rejects with a sentence that users may see. */
export async function loadRunPicture(runId: string, signal: AbortSignal): Promise<Picture> {
  return await getChecked(`${runAddress(runId)}/graph`, isPicture, signal);
}
