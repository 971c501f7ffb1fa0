import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@/lib/base/app-error';

/*
 * Who may hash a password when. A hash takes most of a second of a thread, and anybody may ask for one by a sign-in, so the queue is short:
 *
 *   known    a person at a place of the account, or somebody with a session or a link     100 wait at most, and go first
 *   others   sign-ins from anywhere else                                                   20 wait at most
 *
 * Two passwords are hashed at a time, because files and names of hosts are read by the same threads. Whoever comes to a full queue is
 * refused, and whoever hangs up leaves the queue.
 */

export interface Comer {
  /** True for a place of the account, a session and a link. */
  readonly isKnown: boolean;
  /** The account of a sign-in. */
  readonly account?: string | undefined;
  /** Aborts when the client hangs up. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly account: string | undefined;
  readonly begin: () => void;
}

const mostAtOnce = 2;
const mostKnown = 100;
const mostOthers = 20;
/** Whoever owns an account could fill the queue of known places with it. */
const mostOfOneAccount = 3;
const retryAfter = '10';

export class PasswordTurns {
  #running = 0;
  readonly #known = new Set<Waiting>();
  readonly #others = new Set<Waiting>();

  /** Runs `work` when it is its turn. Throws AppError `too_many` at once if too many wait, or when the client hangs up. */
  async run<T>(comer: Comer, work: () => Promise<T>): Promise<T> {
    if (this.#running >= mostAtOnce) await this.#wait(comer);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // A permit that somebody waits for is handed on, so that nobody who comes meanwhile gets it.
      const [next] = [...this.#known, ...this.#others];
      if (next === undefined) this.#running -= 1;
      else next.begin();
    }
  }

  #wait({ isKnown, account, signal }: Comer): Promise<void> {
    const ofAccount = [...this.#known].filter((each) => account !== undefined && each.account === account).length;
    const isFirst = isKnown && ofAccount < mostOfOneAccount;
    const queue = isFirst ? this.#known : this.#others;
    if (queue.size >= (isFirst ? mostKnown : mostOthers)) throw tooManyWait();
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.delete(waiting);
        reject(tooManyWait());
      };
      const waiting: Waiting = {
        account,
        begin: () => {
          queue.delete(waiting);
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      queue.add(waiting);
      signal?.addEventListener('abort', leave, { once: true });
      if (signal?.aborted === true) leave();
    });
  }
}

function tooManyWait(): AppError {
  return new AppError('too_many', `Too many people sign in just now. Try again in ${retryAfter} seconds.`, {
    retryAfter,
  });
}

// Next evaluates modules more than once, and there is one queue.
const holder: { callboardPasswordTurns?: PasswordTurns } = globalThis as never;
const inTurn = new AsyncLocalStorage<true>();

/** Runs `work`, which hashes a password, when it is its turn. Throws AppError `too_many`. */
export async function takeTurn<T>(comer: Comer, work: () => Promise<T>): Promise<T> {
  if (inTurn.getStore() === true) return await work();
  holder.callboardPasswordTurns ??= new PasswordTurns();
  return await holder.callboardPasswordTurns.run(comer, () => inTurn.run(true, work));
}
