import { type Fault, fault } from './openai-errors';

const mebibyte = 1024 * 1024;

/** Bytes of one answer: text, reasoning and calls together. `limits.max_answer_bytes` may lower it, never raise it. */
export const largestAnswer = 32 * mebibyte;
/** Bytes that all answers may take which one process receives at the same time. */
const roomBytes = 256 * mebibyte;

/** An answer takes so much without asking: a few huge ones must not refuse all the small ones. */
const freeBytes = 64 * 1024;

/** What unfinished answers of one process may hold in memory together. */
export class AnswerRoom {
  /** Bytes taken now. */
  taken = 0;

  constructor(readonly bytes = roomBytes) {}

  fault(): Fault {
    const message = `The answers that this worker receives at the same time are larger than ${inWords(this.bytes)} together. Ask for shorter answers, or lower max_parallel.`;
    return fault('model_answer_too_large', message, false);
  }
}

/** What one holder has taken of the room. */
export class RoomShare {
  private size = 0;
  private taken = 0;

  constructor(private readonly room: AnswerRoom) {}

  /** False when there is no room for so many bytes more. */
  grow(bytes: number): boolean {
    const wanted = Math.max(0, this.size + bytes - freeBytes) - this.taken;
    if (wanted > 0 && this.room.taken + wanted > this.room.bytes) return false;
    this.size += bytes;
    this.taken += wanted;
    this.room.taken += wanted;
    return true;
  }

  release(): void {
    this.room.taken -= this.taken;
    this.size = 0;
    this.taken = 0;
  }
}

/** Counts what one answer keeps, against its own limit and the room of all. */
export class AnswerMeter {
  private kept = 0;
  private readonly share: RoomShare;

  constructor(
    private readonly room: AnswerRoom,
    private readonly maxBytes: number,
  ) {
    this.share = new RoomShare(room);
  }

  /** Undefined: it fits. */
  keep(bytes: number): Fault | undefined {
    this.kept += bytes;
    if (this.kept > this.maxBytes) return answerTooLarge(this.maxBytes);
    return this.share.grow(bytes) ? undefined : this.room.fault();
  }

  release(): void {
    this.kept = 0;
    this.share.release();
  }
}

export function answerTooLarge(maxBytes: number): Fault {
  const message = `The model's answer is larger than ${inWords(maxBytes)}, so it was not read to its end. Ask for a shorter answer.`;
  return fault('model_answer_too_large', message, false);
}

function inWords(bytes: number): string {
  return bytes < mebibyte ? `${bytes.toLocaleString('en-US')} bytes` : `${+(bytes / mebibyte).toFixed(1)} MiB`;
}
