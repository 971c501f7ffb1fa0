/** Bytes that arrive in parts, copied into one array that doubles: many small parts take no more memory than a large one. */
export class GrowingBytes {
  private array = new Uint8Array(0);
  private size = 0;

  get length(): number {
    return this.size;
  }

  /** Bytes of memory that are taken now. */
  get capacity(): number {
    return this.array.length;
  }

  /** The capacity once so many bytes are added. */
  capacityWith(bytes: number): number {
    const needed = this.size + bytes;
    return needed <= this.array.length ? this.array.length : Math.max(needed, this.array.length * 2, 1_024);
  }

  add(part: Uint8Array): void {
    const capacity = this.capacityWith(part.length);
    if (capacity > this.array.length) {
      const larger = new Uint8Array(capacity);
      larger.set(this.array.subarray(0, this.size));
      this.array = larger;
    }
    this.array.set(part, this.size);
    this.size += part.length;
  }

  /** Gives everything, and is empty afterwards. */
  take(): Uint8Array {
    const bytes = this.array.subarray(0, this.size);
    this.array = new Uint8Array(0);
    this.size = 0;
    return bytes;
  }
}
