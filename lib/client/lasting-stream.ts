/** Milliseconds before a stream that was refused is asked for again. */
const againMs = 5_000;
/** A page that was hidden for so many milliseconds gives its stream back, because a person has only so many. */
const hiddenMs = 30_000;

/**
 * Opens a stream of events that lasts until the returned function is called. A browser reconnects by itself after a lost connection, but gives
 * up after an HTTP error: when the session ended or the database was away. Then a new stream is opened, and also when a page is seen again
 * that was hidden for long. `attach` is called for each one.
 */
export function openLasting(address: string, attach: (stream: EventSource) => void): () => void {
  let stream: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let hide: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const opened = new EventSource(address);
    stream = opened;
    again = undefined;
    attach(opened);
    opened.addEventListener('error', () => {
      if (stream === opened && opened.readyState === EventSource.CLOSED) again = setTimeout(open, againMs);
    });
  };
  const close = () => {
    clearTimeout(again);
    clearTimeout(hide);
    stream?.close();
    stream = undefined;
  };
  const giveBack = () => {
    const isOver = stream?.readyState === EventSource.CLOSED && again === undefined;
    if (!isOver) close();
  };
  const onVisibility = () => {
    clearTimeout(hide);
    if (document.visibilityState === 'hidden') hide = setTimeout(giveBack, hiddenMs);
    else if (stream === undefined) open();
  };
  open();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
