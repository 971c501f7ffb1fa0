/**
 * Joins chunks of bytes in one array, which doubles as needed. Many small chunks then need no more memory than a large one.
 */
export class GrowingBytes {
  private array = new Uint8Array(0);
  private size = 0;

  get length(): number {
    return this.size;
  }

  /** The number of allocated bytes. */
  get capacity(): number {
    return this.array.length;
  }

  /** Returns the capacity after `bytes` more are added. */
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

  /** Returns all bytes and empties the array. */
  take(): Uint8Array {
    const bytes = this.array.subarray(0, this.size);
    this.array = new Uint8Array(0);
    this.size = 0;
    return bytes;
  }
}
