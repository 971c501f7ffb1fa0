/** Milliseconds before a stream that was refused is asked for again. */
const againMs = 5_000;

/**
 * Opens a stream of events that lasts until the returned function is called. A browser reconnects by itself after a lost connection, but gives
 * up after an HTTP error: when the session ended or the database was away. Then a new stream is opened. `attach` is called for each one.
 */
export function openLasting(address: string, attach: (stream: EventSource) => void): () => void {
  let stream: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    stream = new EventSource(address);
    attach(stream);
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) timer = setTimeout(open, againMs);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    stream.close();
  };
}
