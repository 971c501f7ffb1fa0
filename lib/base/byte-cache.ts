/**
 * Values by key, the one used longest ago first to go, bounded by what they hold together. A value larger than the whole
 * cache is not kept.
 */
export class ByteCache<K, V> {
  private readonly entries = new Map<K, { readonly value: V; readonly bytes: number }>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** `bytes`: about what the value takes in memory. */
  set(key: K, value: V, bytes: number): void {
    this.delete(key);
    if (bytes > this.maxBytes) return;
    this.entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    this.bytes -= this.entries.get(key)?.bytes ?? 0;
    this.entries.delete(key);
  }
}
