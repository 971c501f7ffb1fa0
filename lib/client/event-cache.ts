/** The state of a value that is fetched by the number of its event. */
export type Fetched<T> = 'loading' | { readonly error: string } | { readonly value: T };

const mostAtOnce = 100;

/** Fetches values of events on demand, in batches. They are kept for good, because an event never changes. */
export class EventCache<T extends { readonly seq: number }> {
  private readonly cache = new Map<number, Fetched<T>>();
  private readonly listeners = new Set<() => void>();
  private wanted: number[] = [];
  private version = 0;

  constructor(private readonly load: (seqs: readonly number[]) => Promise<readonly T[]>) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getVersion = (): number => this.version;

  get(seq: number): Fetched<T> | undefined {
    return this.cache.get(seq);
  }

  /** Asks for events. Requests of the same task are fetched together, and a failed one is tried again. */
  want(seqs: readonly number[]): void {
    const missing = seqs.filter((seq) => seq > 0 && !this.isHere(seq));
    if (missing.length === 0) return;
    for (const seq of missing) this.cache.set(seq, 'loading');
    if (this.wanted.length === 0) queueMicrotask(() => this.fetchWanted());
    this.wanted.push(...missing);
  }

  private isHere(seq: number): boolean {
    const fetched = this.cache.get(seq);
    return fetched === 'loading' || (fetched !== undefined && 'value' in fetched);
  }

  private fetchWanted(): void {
    const wanted = this.wanted;
    this.wanted = [];
    for (let i = 0; i < wanted.length; i += mostAtOnce) void this.fetch(wanted.slice(i, i + mostAtOnce));
  }

  private async fetch(seqs: readonly number[]): Promise<void> {
    try {
      for (const value of await this.load(seqs)) this.cache.set(value.seq, { value });
      // An event that the answer left out must not stay in the state `loading`.
      for (const seq of seqs)
        if (this.cache.get(seq) === 'loading') this.cache.set(seq, { error: 'It has not arrived yet.' });
    } catch (error) {
      const message = error instanceof Error ? error.message : 'It could not be loaded.';
      for (const seq of seqs) this.cache.set(seq, { error: message });
    }
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
