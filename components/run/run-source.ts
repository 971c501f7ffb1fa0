import type { Picture } from '@/lib/graph/picture';
import type { PartPage, ShortEvent } from '@/lib/trace/short-event';
import type { SlimEvent } from '@/lib/trace/slim-event';
import type { PartPages } from './payload';

/** A line of a call's arguments or result. */
export interface EventPreview {
  readonly seq: number;
  readonly text: string;
}

export interface StreamReader {
  onEvents(events: readonly SlimEvent[]): void;
  /** Nothing more will come. */
  onEnd(): void;
  /** The stream broke; the caller opens another one. */
  onBroken(): void;
}

/** Where a run's record comes from. Over HTTP in the app, from memory in tests. */
export interface RunSource {
  /** The run so far as columns, and the server's clock in epoch milliseconds. Rejects with a sentence fit to show. */
  loadTrace(signal: AbortSignal): Promise<{ readonly bytes: Uint8Array; readonly serverNow: number }>;
  /** Events after `after`; answers what closes it. After `onEnd` or `onBroken` nothing more is called. */
  openStream(after: number, reader: StreamReader): () => void;
  /** Events, at most 100, in the order asked for. What is too long to show at once is cut, and they say so. */
  loadEvents(seqs: readonly number[]): Promise<readonly ShortEvent[]>;
  /** A line of each call's arguments or result: a history of large results must not fetch them all. */
  loadPreviews(seqs: readonly number[]): Promise<readonly EventPreview[]>;
}

/** The HTTP API of this server. */
export function httpRunSource(runId: string): RunSource {
  const base = `/api/v1/runs/${encodeURIComponent(runId)}`;
  return {
    async loadTrace(signal) {
      const response = await fetch(`${base}/timeline`, { signal });
      if (!response.ok) throw new Error(await sentenceOf(response));
      const serverNow = Number(response.headers.get('callboard-time')) || Date.now();
      const unzipped = response.body?.pipeThrough(new DecompressionStream('gzip'));
      return { bytes: new Uint8Array(await new Response(unzipped).arrayBuffer()), serverNow };
    },
    openStream(after, reader) {
      const stream = new EventSource(`${base}/events?view=slim&after=${after}`);
      stream.onmessage = (message: MessageEvent<string>) => {
        const events: readonly SlimEvent[] = JSON.parse(message.data);
        reader.onEvents(events);
      };
      stream.addEventListener('end', () => {
        stream.close();
        reader.onEnd();
      });
      // The browser's own reconnect has no backoff and stops for good on an HTTP error: ours starts anew.
      stream.onerror = () => {
        stream.close();
        reader.onBroken();
      };
      return () => stream.close();
    },
    async loadEvents(seqs) {
      return await getJson<readonly ShortEvent[]>(`${base}/events?view=short&seq=${seqs.join(',')}`);
    },
    async loadPreviews(seqs) {
      return await getJson<readonly EventPreview[]>(`${base}/events?view=preview&seq=${seqs.join(',')}`);
    },
  };
}

/** The pages of a part of an event that is cut; undefined when it is whole. */
export function partPages(runId: string, event: ShortEvent, part: number): PartPages | undefined {
  const cut = event.cut?.find((one) => one.part === part);
  if (cut === undefined) return undefined;
  const base = `/api/v1/runs/${encodeURIComponent(runId)}/events/${event.seq}?part=${part}`;
  return {
    total: cut.total,
    load: (offset) => getJson<PartPage>(`${base}&offset=${offset}`),
    href: `${base}&as=file`,
  };
}

/** The graph that the run was started with. Rejects with a sentence fit to show. */
export async function loadRunPicture(runId: string, signal: AbortSignal): Promise<Picture> {
  return await getJson<Picture>(`/api/v1/runs/${encodeURIComponent(runId)}/graph`, signal);
}

/** Our own API: its shape is trusted. */
async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(await sentenceOf(response));
  const value: T = await response.json();
  return value;
}

async function sentenceOf(response: Response): Promise<string> {
  try {
    const body: { error?: { message?: string } } = await response.json();
    return body.error?.message ?? `The server answered ${response.status}.`;
  } catch {
    return `The server answered ${response.status}.`;
  }
}
