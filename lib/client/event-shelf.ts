/** Something fetched by event number. */
export type Shelved<T> = 'loading' | { readonly error: string } | { readonly value: T };

const mostAtOnce = 100;

/** What belongs to events, fetched when somebody looks at it, many at a time, and kept: an event never changes. */
export class EventShelf<T extends { readonly seq: number }> {
  private readonly shelf = new Map<number, Shelved<T>>();
  private readonly listeners = new Set<() => void>();
  private wanted: number[] = [];
  private version = 0;

  constructor(private readonly load: (seqs: readonly number[]) => Promise<readonly T[]>) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getVersion = (): number => this.version;

  get(seq: number): Shelved<T> | undefined {
    return this.shelf.get(seq);
  }

  /** Asks for events; those wanted in one go are fetched together. One that failed is asked for anew. */
  want(seqs: readonly number[]): void {
    const missing = seqs.filter((seq) => seq > 0 && !this.isHere(seq));
    if (missing.length === 0) return;
    for (const seq of missing) this.shelf.set(seq, 'loading');
    if (this.wanted.length === 0) queueMicrotask(() => this.fetchWanted());
    this.wanted.push(...missing);
  }

  private isHere(seq: number): boolean {
    const shelved = this.shelf.get(seq);
    return shelved === 'loading' || (shelved !== undefined && 'value' in shelved);
  }

  private fetchWanted(): void {
    const wanted = this.wanted;
    this.wanted = [];
    for (let i = 0; i < wanted.length; i += mostAtOnce) void this.fetch(wanted.slice(i, i + mostAtOnce));
  }

  private async fetch(seqs: readonly number[]): Promise<void> {
    try {
      for (const value of await this.load(seqs)) this.shelf.set(value.seq, { value });
      // An answer without one of them must not leave it loading for good.
      for (const seq of seqs)
        if (this.shelf.get(seq) === 'loading') this.shelf.set(seq, { error: 'It is not here yet.' });
    } catch (error) {
      const message = error instanceof Error ? error.message : 'It could not be loaded.';
      for (const seq of seqs) this.shelf.set(seq, { error: message });
    }
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
