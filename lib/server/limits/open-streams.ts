import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';

/*
 * The limits on streams of events that are open at once in a process. Each stream counts against every line that fits:
 *
 *   all streams                                                  500
 *   the browsers of a person, a token, a share link, an address   20
 *   a person, with all tokens and all calls that follow a run    100
 *   the one person without accounts                              400
 *
 * The last 100 of all are for people and addresses that have fewer than 3.
 */
const most = 500;
const reserve = 100;
const few = 3;
const mostEach = 20;
const mostOfPerson = 100;
const mostOfOnly = most - reserve;

/** `page` is a stream that a browser or a script reads, `call` is a call of A2A or MCP that waits for its run. */
export type StreamKind = 'page' | 'call';

interface Count {
  readonly key: string;
  readonly most: number;
  /** Completes "20 streams of events are open …". */
  readonly where: string;
}

/**
 * Counts a stream until its iterator has ended or the signal aborts. Throws AppError `too_many` when the actor has too many, and
 * `unavailable` when all have too many.
 */
export function counted<T>(
  { actor, signal, kind = 'page' }: { readonly actor: Actor; readonly signal: AbortSignal; readonly kind?: StreamKind },
  parts: AsyncGenerator<T>,
): AsyncIterableIterator<T> {
  // Counted now, not at the first read, so that streams that are asked for at the same time cannot pass together.
  const release = claim(countsOf(actor, kind));
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
  const ended = () => {
    signal.removeEventListener('abort', release);
    release();
  };
  return {
    async next() {
      try {
        const next = await parts.next();
        if (next.done === true) ended();
        return next;
      } catch (error) {
        ended();
        throw error;
      }
    },
    async return() {
      ended();
      return await parts.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Returns the number of open streams of this process. */
export function openStreamCount(): number {
  return open().all;
}

function claim(counts: readonly Count[]): () => void {
  const { byKey, all } = open();
  for (const { key, most, where } of counts) {
    if ((byKey.get(key) ?? 0) < most) continue;
    throw tooManyStreams(`${most} streams of events are open ${where}, and no more can be.`);
  }
  if (all >= most) throw new AppError('unavailable', `${most} streams are open, and no more can be. ${closeSome}`);
  const owner = counts.at(-1)?.key ?? '';
  if (all >= mostOfOnly && (byKey.get(owner) ?? 0) >= few) {
    throw tooManyStreams(`Of ${most} streams of events only the last ${reserve} are free, for those who have few.`);
  }
  add(counts, 1);
  let isOpen = true;
  return () => {
    if (isOpen) add(counts, -1);
    isOpen = false;
  };
}

const closeSome = 'Close some pages or scripts that follow runs, then try again.';

function tooManyStreams(sentence: string): AppError {
  return new AppError('too_many', `${sentence} ${closeSome}`, { retryAfter: '5' });
}

function add(counts: readonly Count[], change: 1 | -1): void {
  const streams = open();
  streams.all += change;
  for (const { key } of counts) {
    const count = (streams.byKey.get(key) ?? 0) + change;
    if (count === 0) streams.byKey.delete(key);
    else streams.byKey.set(key, count);
  }
}

/** The last is the one for whom the reserve is. */
function countsOf({ reach }: Actor, kind: StreamKind): readonly Count[] {
  if (reach === 'all') return [{ key: 'only', most: mostOfOnly, where: 'here' }];
  if (reach.kind === 'share') {
    return [
      { key: `link ${reach.link}`, most: mostEach, where: 'with this share link' },
      { key: `address ${reach.address}`, most: mostEach, where: 'from this address with share links' },
    ];
  }
  const person = { key: `person ${reach.userId}`, most: mostOfPerson, where: 'in your browsers and with your tokens' };
  // A call is bounded by its run, and a program may have as many calls as runs.
  if (kind === 'call') return [person];
  const { token, userId } = reach;
  return token === undefined
    ? [{ key: `browsers ${userId}`, most: mostEach, where: 'in your browsers' }, person]
    : [{ key: `token ${token.id}`, most: mostEach, where: 'with this token' }, person];
}

interface OpenStreams {
  all: number;
  readonly byKey: Map<string, number>;
}

/** The counts are kept on `globalThis`, because Next evaluates modules more than once, and there must be one count per process. */
const holder: { callboardOpenStreams?: OpenStreams } = globalThis as never;

function open(): OpenStreams {
  holder.callboardOpenStreams ??= { all: 0, byKey: new Map() };
  return holder.callboardOpenStreams;
}
