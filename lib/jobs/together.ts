interface Limits<T> {
  /** Items of one call. */
  readonly most: number;
  /** What the items of one call weigh together, unless one alone weighs more. */
  readonly mostWeight: number;
  weightOf(item: T): number;
  /** True if a call that failed so may have been done all the same; its items are not sent again. */
  isUncertain(error: unknown): boolean;
}

/**
 * Sends items one call at a time; those that come meanwhile go together with the next. A call of several that fails has its
 * items sent one by one, so that each fails for itself alone.
 *
 *   a ─▶ send [a]      b, c, d come meanwhile ─▶ send [b, c, d]
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
