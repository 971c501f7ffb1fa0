import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '@/lib/base/growing-bytes';
import { type AnswerMemory, answerTooLarge, MemoryShare } from './answer-memory';
import { type Fault, fault } from './openai-errors';

/** A line may exceed the largest answer by this many bytes, for names, quotes and escapes. */
const lineSlackBytes = 1024 * 1024;
/**
 * A body has at most this many bytes. It is much more than an answer, because each letter of an answer may come in its own
 * JSON object of a hundred letters.
 */
const maxBodyBytes = 512 * 1024 * 1024;
/** The connection is closed this long after the end of an answer, or earlier if the server sends more. */
const lingerMs = 5_000;
const lingerChunks = 16;

export interface LineOptions {
  /** The longest time without a byte, in milliseconds. */
  readonly idleMs: number | undefined;
  /** The size of the largest answer, in bytes. */
  readonly maxBytes: number;
  readonly memory: AnswerMemory;
}

/** `stop` closes the connection now; `end` reads the rest of the answer first. */
export type AfterLine = 'more' | 'end' | 'stop';

export type BodyEnd = { readonly broken?: Error; readonly fault?: Fault };

/**
 * Passes complete lines to `take` until the body ends or `take` stops it. A line or a body that is too long is a fault, and
 * the connection is closed. An unfinished line needs at most twice its size in memory, however small its chunks are.
 */
export function readLines(
  body: IncomingMessage,
  options: LineOptions,
  take: (line: string) => AfterLine,
): Promise<BodyEnd> {
  const maxLineBytes = options.maxBytes + lineSlackBytes;
  return new Promise((resolve, reject) => {
    const rest = new Rest(options.memory);
    let state: AfterLine = 'more';
    let received = 0;
    let late = 0;
    let isFirst = true;

    const finish = (end: BodyEnd) => {
      rest.release();
      resolve(end);
    };
    const hangUp = (end: BodyEnd) => {
      state = 'stop';
      finish(end);
      body.destroy();
    };
    const takeText = (text: string) => {
      // A mark of the byte order is no part of the text.
      state = takeLines(isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text, take);
      isFirst = false;
      if (state === 'stop') hangUp({});
      else if (state === 'end') {
        finish({});
        body.setTimeout(lingerMs);
      }
    };

    const takeChunk = (chunk: Buffer) => {
      if (state !== 'more') {
        late += 1;
        if (late > lingerChunks) body.destroy();
        return;
      }
      received += chunk.length;
      if (received > maxBodyBytes) {
        const said = `The model's server sent more than ${maxBodyBytes / 1024 / 1024} MiB for one answer, so it was not read to its end.`;
        return hangUp({ fault: fault('model_answer_too_large', said, false) });
      }
      // In UTF-8 a newline byte is never part of a longer character, so the text up to the last newline is complete.
      const end = chunk.lastIndexOf(newline) + 1;
      if (end > 0) {
        takeText(rest.length === 0 ? chunk.toString('utf8', 0, end) : rest.takeWith(chunk.subarray(0, end)));
        if (state !== 'more') return;
      }
      if (end === chunk.length) return;
      if (rest.length + chunk.length - end > maxLineBytes) return hangUp({ fault: answerTooLarge(options.maxBytes) });
      if (!rest.add(chunk.subarray(end))) hangUp({ fault: options.memory.fault() });
    };
    const takeEnd = () => {
      if (state === 'more' && rest.length > 0) takeText(`${rest.takeWith(Buffer.alloc(0))}\n`);
      if (state === 'more') state = 'end';
      finish({});
    };
    /** An exception in a listener would end the process, and with it every run. */
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        state = 'stop';
        rest.release();
        reject(error);
        body.destroy();
      }
    };

    body.on('data', (chunk: Buffer) => guarded(() => takeChunk(chunk)));
    body.once('end', () => guarded(takeEnd));
    body.once('error', (broken) => finish({ broken }));
    body.once('close', () => finish(state === 'more' ? { broken: new Error('the connection was closed') } : {}));
    if (options.idleMs !== undefined) body.setTimeout(options.idleMs);
  });
}

const newline = 0x0a;

/** Passes on the lines of `text`, which ends in a newline. */
function takeLines(text: string, take: (line: string) => AfterLine): AfterLine {
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    const after = take(text.slice(from, end));
    if (after !== 'more') return after;
    from = end + 1;
  }
  return 'more';
}

/** Stores the start of an incomplete line. */
class Rest {
  private readonly bytes = new GrowingBytes();
  private readonly share: MemoryShare;

  constructor(memory: AnswerMemory) {
    this.share = new MemoryShare(memory);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Returns false when the memory budget is used up. */
  add(part: Buffer): boolean {
    if (!this.share.grow(this.bytes.capacityWith(part.length) - this.bytes.capacity)) return false;
    this.bytes.add(part);
    return true;
  }

  /** Returns the stored bytes and `end` as text, and empties the store. */
  takeWith(end: Buffer): string {
    // The parts are decoded together, since a character may begin in one part and end in the other.
    const text = Buffer.concat([this.bytes.take(), end]).toString('utf8');
    this.release();
    return text;
  }

  release(): void {
    this.share.release();
    this.bytes.take();
  }
}
