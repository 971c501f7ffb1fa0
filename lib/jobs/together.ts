interface Limits<T> {
  /** The largest number of items of one call. */
  readonly most: number;
  /** The largest total weight of one call. A single heavier item gets a call of its own. */
  readonly mostWeight: number;
  weightOf(item: T): number;
  /** True if a call with this error may still have succeeded. Its items are then not sent again. */
  isUncertain(error: unknown): boolean;
}

/**
 * Sends items in batches, one call at a time: items that arrive during a call share the next call. When a call with several
 * items fails, they are sent one by one, so that an item only fails for its own reason.
 *
 *   a ─▶ send [a]      b, c, d arrive meanwhile ─▶ send [b, c, d]
 */
export function sentTogether<T>(
  send: (items: readonly T[]) => Promise<void>,
  limits: Limits<T>,
): (item: T) => Promise<void> {
  interface Waiting {
    readonly item: T;
    resolve(): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let isSending = false;

  async function work(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) await deliver(take());
    isSending = false;
  }

  function take(): readonly Waiting[] {
    let weight = 0;
    let count = 0;
    for (const { item } of waiting) {
      weight += limits.weightOf(item);
      if (count > 0 && (count === limits.most || weight > limits.mostWeight)) break;
      count += 1;
    }
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  }

  async function deliver(items: readonly Waiting[]): Promise<void> {
    try {
      await send(items.map(({ item }) => item));
      for (const each of items) each.resolve();
    } catch (error) {
      if (items.length === 1 || limits.isUncertain(error)) for (const each of items) each.reject(error);
      else for (const each of items) await deliver([each]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isSending) void work();
    });
}
