/** Streams of events in memory, in the place of the browser's `EventSource`. A scene or a test sends what a server would. */

interface Feed {
  /** Called when a screen opens the stream. */
  readonly onOpen: (stream: FakeStream) => void;
}

const feeds = new Map<string, Feed>();
const open = new Set<FakeStream>();

/** Serves the streams whose path is `path`. One without a feed stays open and silent. */
export function serveStream(path: string, onOpen: (stream: FakeStream) => void): void {
  feeds.set(path, { onOpen });
}

/** Sends an event to every open stream of the path. */
export function sendTo(path: string, data: unknown, event?: string): void {
  for (const stream of open) if (stream.path === path) stream.send(data, event);
}

/** Breaks every open stream of the path, as a lost connection does. */
export function breakStreams(path: string): void {
  for (const stream of [...open]) if (stream.path === path) stream.fail();
}

export class FakeStream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 2;
  readonly url: string;
  readonly withCredentials = false;
  readyState: number = FakeStream.CONNECTING;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;

  constructor(address: string | URL) {
    super();
    this.url = new URL(address, window.location.href).href;
    open.add(this);
    queueMicrotask(() => {
      if (this.readyState === FakeStream.CLOSED) return;
      this.readyState = FakeStream.OPEN;
      this.tell(new Event('open'));
      feeds.get(this.path)?.onOpen(this);
    });
  }

  get path(): string {
    return new URL(this.url).pathname;
  }

  send(data: unknown, event = 'message', lastEventId = ''): void {
    if (this.readyState !== FakeStream.OPEN) return;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.tell(new MessageEvent(event, { data: text, lastEventId }));
  }

  fail(): void {
    this.readyState = FakeStream.CLOSED;
    open.delete(this);
    this.tell(new Event('error'));
  }

  close(): void {
    this.readyState = FakeStream.CLOSED;
    open.delete(this);
  }

  private tell(event: Event): void {
    if (event.type === 'open') this.onopen?.(event);
    if (event.type === 'error') this.onerror?.(event);
    if (event instanceof MessageEvent && event.type === 'message') this.onmessage?.(event);
    this.dispatchEvent(event);
  }
}
