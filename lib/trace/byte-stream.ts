/**
 * Writes numbers as LEB128, seven bits a byte, so that small numbers need few bytes. It takes whole numbers up to 2^53 in
 * size.
 */
export class ByteWriter {
  private bytes = new Uint8Array(1024);
  private used = 0;

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.used++] = value;
  }

  varint(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.used++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.used++] = rest;
  }

  /** Writes a signed number in zigzag form, in which small numbers of either sign need few bytes. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2);
  }

  append(more: Uint8Array): void {
    this.reserve(more.length);
    this.bytes.set(more, this.used);
    this.used += more.length;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.used);
  }

  private reserve(count: number): void {
    if (this.used + count <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, this.used + count));
    wider.set(this.bytes.subarray(0, this.used));
    this.bytes = wider;
  }
}

/** Reads what `ByteWriter` wrote. Throws a `RangeError` when the bytes end too soon. */
export class ByteReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  byte(): number {
    const value = this.bytes[this.position++];
    if (value === undefined) throw new RangeError('The trace ends too soon.');
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = this.byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
      scale *= 128;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  take(count: number): Uint8Array {
    if (this.position + count > this.bytes.length) throw new RangeError('The trace ends too soon.');
    this.position += count;
    return this.bytes.subarray(this.position - count, this.position);
  }
}
