import type { RunEvent } from '@/lib/runtime/record/events';
import { Ints } from '@/lib/trace/growable';
import { StepDigester } from './step-digest';

/** The digests of a run so far, by `seq`. */
export class RunDigests {
  private readonly digester = new StepDigester();
  /** Place i has the digest of the event with seq i + 1. */
  readonly values = new Ints();

  /** The seq of the last event. */
  get lastSeq(): number {
    return this.values.length;
  }

  /** Adds the next event. Events that it has already are ignored, because two readers may read the same page. */
  add(event: RunEvent): void {
    if (event.seq === this.lastSeq + 1) this.values.push(this.digester.add(event));
  }

  /** Returns the digests of the events after `after`, 4 bytes each, the lowest byte first. */
  bytesAfter(after: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, this.lastSeq - after) * 4);
    const view = new DataView(bytes.buffer);
    for (let seq = after + 1; seq <= this.lastSeq; seq++) {
      view.setUint32((seq - after - 1) * 4, this.values.at(seq - 1), true);
    }
    return bytes;
  }
}

/** Reads what `bytesAfter` wrote, behind the digests that are known already. */
export function joinDigests(known: Uint32Array, bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.byteLength / 4);
  const joined = new Uint32Array(known.length + count);
  joined.set(known);
  for (let i = 0; i < count; i++) joined[known.length + i] = view.getUint32(i * 4, true);
  return joined;
}
