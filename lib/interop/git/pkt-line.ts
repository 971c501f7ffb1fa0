import { AppError } from '@/lib/base/app-error';

/*
 * Lines of git's wire protocol (gitprotocol-common: pkt-line format). A line is its length as four hexadecimal digits, which counts
 * those four, and then its bytes. `0000` is a flush: it ends a list.
 */

const longestLine = 65_520;
export const flushLine: Uint8Array = new TextEncoder().encode('0000');

/** Writes one line. Text is written as UTF-8. */
export function pktLine(content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  if (bytes.length + 4 > longestLine) throw new Error('Bug: a line for git is too long');
  return joined([new TextEncoder().encode(lengthOf(bytes.length + 4)), bytes]);
}

/** What a line of the side band is: bytes of a pack, a message for the person, or an error that ends everything. */
export type Band = 'data' | 'message' | 'error';
const bandNumber: Readonly<Record<Band, number>> = { data: 1, message: 2, error: 3 };

/** Writes bytes as lines of the side band (gitprotocol-common: side-band-64k). */
export function* bandLines(band: Band, bytes: Uint8Array): Generator<Uint8Array> {
  const most = longestLine - 5;
  for (let at = 0; at < bytes.length; at += most) {
    yield pktLine(joined([Uint8Array.of(bandNumber[band]), bytes.subarray(at, at + most)]));
  }
}

/** A line, or a flush. */
export type Pkt = Uint8Array | 'flush';

/**
 * Reads lines from the beginning. Returns them and where they end: at the end of the bytes, or behind the flush that `until` says is
 * the last. Throws AppError `bad_request` for bytes that are no such lines.
 */
export function readPkts(
  bytes: Uint8Array,
  until: (flushes: number) => boolean = () => false,
): { readonly lines: readonly Pkt[]; readonly end: number } {
  const lines: Pkt[] = [];
  let at = 0;
  for (let flushes = 0; at < bytes.length; ) {
    const digits = latin1(bytes.subarray(at, at + 4));
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw notGit();
    const length = Number.parseInt(digits, 16);
    if (length === 0) {
      lines.push('flush');
      at += 4;
      flushes += 1;
      if (until(flushes)) break;
      continue;
    }
    if (length < 4 || length > longestLine || at + length > bytes.length) throw notGit();
    lines.push(bytes.subarray(at + 4, at + length));
    at += length;
  }
  return { lines, end: at };
}

/** Returns the text of a line without its line break. */
export function textOfPkt(line: Uint8Array): string {
  return new TextDecoder().decode(line).replace(/\n$/, '');
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function lengthOf(length: number): string {
  return length.toString(16).padStart(4, '0');
}

function notGit(): AppError {
  return new AppError('bad_request', 'The request is not of the git protocol, or is cut off. Use the git client.');
}
