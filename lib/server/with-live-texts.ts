import type { LiveTextReader } from './live-text-readers';

/**
 * Yields the parts of a stream of events and, between whole events, messages named `text` with what models say meanwhile.
 * They have no id, so that a reader that reconnects resumes after the last event. Nothing is taken for a slow reader: the
 * next message has what came until then.
 */
export async function* withLiveTexts(
  events: AsyncGenerator<string>,
  open: (onNews: () => void) => LiveTextReader,
): AsyncGenerator<string> {
  const bell = new Bell();
  let isNews = false;
  const texts = open(() => {
    isNews = true;
    bell.ring();
  });
  /** False inside an event, where no other message may begin. */
  let isWhole = true;
  try {
    for (;;) {
      const next = new Arrival(events.next(), () => bell.ring());
      while (!next.hasCome) {
        if (!isNews || !isWhole) {
          await bell.rung();
          continue;
        }
        const { pieces, isMore } = texts.take();
        isNews = isMore;
        if (pieces.length > 0) yield `event: text\ndata: ${JSON.stringify(pieces)}\n\n`;
      }
      const { done, value } = next.take();
      if (done === true) return;
      isWhole = value.endsWith('\n\n');
      yield value;
    }
  } finally {
    texts.close();
    void events.return(undefined).catch(() => undefined);
  }
}

/** Wakes one waiter. `Promise.race` would leave a handler on the promise of an event that may come in an hour. */
class Bell {
  private wake: (() => void) | undefined;
  private hasRung = false;

  ring(): void {
    this.hasRung = true;
    this.wake?.();
  }

  /** Resolves when the bell rings, or has rung since the last wait. */
  async rung(): Promise<void> {
    if (!this.hasRung) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.hasRung = false;
  }
}

/** The outcome of a promise, which can be asked for without waiting. */
class Arrival {
  private outcome: (() => IteratorResult<string>) | undefined;

  constructor(next: Promise<IteratorResult<string>>, onArrival: () => void) {
    const arrive = (outcome: () => IteratorResult<string>) => {
      this.outcome = outcome;
      onArrival();
    };
    next.then(
      (result) => arrive(() => result),
      (error: unknown) =>
        arrive(() => {
          throw error;
        }),
    );
  }

  get hasCome(): boolean {
    return this.outcome !== undefined;
  }

  /** Returns the result, or throws the error. */
  take(): IteratorResult<string> {
    if (this.outcome === undefined) throw new Error('Bug: taken before it came');
    return this.outcome();
  }
}
