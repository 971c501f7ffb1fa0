import { GrowingBytes } from './growing-bytes';

const newline = 10;
const carriageReturn = 13;

/** Splits a byte stream into lines of at most `maxBytes`. */
export class ByteLines {
  private readonly rest = new GrowingBytes();

  constructor(private readonly maxBytes: number) {}

  /**
   * Passes each complete line, without its line end, to `take`. The bytes are valid until the next call. Returns false when a
   * line is too long: its bytes are dropped, and the next byte starts a new line.
   */
  feed(chunk: Uint8Array, take: (line: Uint8Array) => void): boolean {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const part = chunk.subarray(from, end);
      from = end + 1;
      if (this.rest.length + part.length > this.maxBytes) return this.drop();
      if (this.rest.length > 0) {
        this.rest.add(part);
        take(withoutReturn(this.rest.take()));
      } else take(withoutReturn(part));
    }
    if (from === chunk.length) return true;
    if (this.rest.length + chunk.length - from > this.maxBytes) return this.drop();
    this.rest.add(chunk.subarray(from));
    return true;
  }

  private drop(): false {
    this.rest.take();
    return false;
  }
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}
