import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '@/lib/base/growing-bytes';
import { type AnswerRoom, answerTooLarge, RoomShare } from './answer-room';
import { type Fault, fault } from './openai-errors';

/** What a line may have beside an answer of the largest size: names, quotes, escapes. */
const lineSlackBytes = 1024 * 1024;
/** Bytes of a whole body. Each letter of an answer may come in an object of its own, with a hundred letters around it. */
const maxBodyBytes = 512 * 1024 * 1024;
/** A server that keeps a finished answer open is hung up on after this long, or when it goes on sending. */
const lingerMs = 5_000;
const lingerChunks = 16;

export interface LineOptions {
  /** Longest pause without a byte. */
  readonly idleMs: number | undefined;
  /** Bytes of the largest answer. */
  readonly maxBytes: number;
  readonly room: AnswerRoom;
}

/** `stop` hangs up at once, `end` after what may still belong to the answer. */
export type AfterLine = 'more' | 'end' | 'stop';

export type BodyEnd = { readonly broken?: Error; readonly fault?: Fault };

/**
 * Feeds whole lines until the body ends, or `take` says so. A body with an endless line, or an endless body, is a fault, and
 * the connection is closed at once. An unfinished line takes at most twice its size in memory, in however small parts
 * it arrives.
 */
export function readLines(
  body: IncomingMessage,
  options: LineOptions,
  take: (line: string) => AfterLine,
): Promise<BodyEnd> {
  const maxLineBytes = options.maxBytes + lineSlackBytes;
  return new Promise((resolve, reject) => {
    const rest = new Rest(options.room);
    let state: AfterLine = 'more';
    let received = 0;
    let late = 0;

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
      state = takeLines(text, take);
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
      // No byte of a longer character is a newline: up to the last one the text is whole.
      const end = chunk.lastIndexOf(newline) + 1;
      if (end > 0) {
        takeText(rest.length === 0 ? chunk.toString('utf8', 0, end) : rest.takeWith(chunk.subarray(0, end)));
        if (state !== 'more') return;
      }
      if (end === chunk.length) return;
      if (rest.length + chunk.length - end > maxLineBytes) return hangUp({ fault: answerTooLarge(options.maxBytes) });
      if (!rest.add(chunk.subarray(end))) hangUp({ fault: options.room.fault() });
    };
    const takeEnd = () => {
      if (state === 'more' && rest.length > 0) takeText(`${rest.takeWith(Buffer.alloc(0))}\n`);
      if (state === 'more') state = 'end';
      finish({});
    };
    /** What is thrown in a listener would end the process with every run on it. */
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

/** `text` ends in a newline. */
function takeLines(text: string, take: (line: string) => AfterLine): AfterLine {
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    const after = take(text.slice(from, end));
    if (after !== 'more') return after;
    from = end + 1;
  }
  return 'more';
}

/** The start of a line whose end has not come. */
class Rest {
  private readonly bytes = new GrowingBytes();
  private readonly share: RoomShare;

  constructor(room: AnswerRoom) {
    this.share = new RoomShare(room);
  }

  get length(): number {
    return this.bytes.length;
  }

  /** False when there is no room. */
  add(part: Buffer): boolean {
    if (!this.share.grow(this.bytes.capacityWith(part.length) - this.bytes.capacity)) return false;
    this.bytes.add(part);
    return true;
  }

  /** All of it and this, as text. Nothing is left. */
  takeWith(end: Buffer): string {
    // Together, since a character may begin in one and end in the other.
    const text = Buffer.concat([this.bytes.take(), end]).toString('utf8');
    this.release();
    return text;
  }

  release(): void {
    this.share.release();
    this.bytes.take();
  }
}
