import { type Fault, fault } from './openai-errors';

const mebibyte = 1024 * 1024;

/**
 * One answer has at most this many bytes: text, reasoning and calls together. `limits.max_answer_bytes` can only lower it.
 */
export const largestAnswer = 32 * mebibyte;
/** All answers that one process receives at the same time have at most this many bytes. */
const totalBytes = 256 * mebibyte;

/** The first bytes of every answer are not counted, so that a few huge answers do not block all small ones. */
const freeBytes = 64 * 1024;

/** The memory budget that all unfinished answers of one process share. */
export class AnswerMemory {
  /** The bytes in use. */
  taken = 0;

  constructor(readonly bytes = totalBytes) {}

  fault(): Fault {
    const message = `The answers that this worker receives at the same time are larger than ${inWords(this.bytes)} together. Ask for shorter answers, or lower max_parallel.`;
    return fault('model_answer_too_large', message, false);
  }
}

/** The memory budget of all answers of this process, on every wire. */
export const answersOfProcess = new AnswerMemory();

/** The part of the memory budget that one answer uses. */
export class MemoryShare {
  private size = 0;
  private taken = 0;

  constructor(private readonly memory: AnswerMemory) {}

  /** Reserves bytes. False when the budget is used up. */
  grow(bytes: number): boolean {
    const wanted = Math.max(0, this.size + bytes - freeBytes) - this.taken;
    if (wanted > 0 && this.memory.taken + wanted > this.memory.bytes) return false;
    this.size += bytes;
    this.taken += wanted;
    this.memory.taken += wanted;
    return true;
  }

  release(): void {
    this.memory.taken -= this.taken;
    this.size = 0;
    this.taken = 0;
  }
}

/** Counts the bytes of one answer, against its own limit and the shared budget. */
export class AnswerMeter {
  /** The bytes that were counted. */
  kept = 0;
  private readonly share: MemoryShare;

  constructor(
    private readonly memory: AnswerMemory,
    private readonly maxBytes: number,
  ) {
    this.share = new MemoryShare(memory);
  }

  /** Counts bytes. Returns `undefined` if both limits hold, otherwise the fault. */
  keep(bytes: number): Fault | undefined {
    this.kept += bytes;
    if (this.kept > this.maxBytes) return answerTooLarge(this.maxBytes);
    return this.share.grow(bytes) ? undefined : this.memory.fault();
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
