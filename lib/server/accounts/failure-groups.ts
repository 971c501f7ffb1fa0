import { placeOf } from '@/lib/server/limits/sign-in';

/*
 * Groups failed sign-ins, because the audit log is never shortened and guessing must not fill it. A group is an account and the address
 * from which somebody tries it:
 *
 *   the first failure         has an entry at once
 *   those of the next minute  are counted, and have one entry together when the minute is over
 *   further minutes           have one entry each, while failures go on
 *
 * An account has entries of its own for five addresses at a time (of IPv6 the first 64 bits count). Failures from further addresses are counted together. So whoever tries
 * one account does not hide the failures of another one, and an account has six entries a minute at most while it is tried.
 */

export interface Failure {
  /** The person, or `unknown` for all addresses that are nobody's. */
  readonly account: string;
  readonly address: string;
  /** How the person tried to sign in. */
  readonly way: string;
}

export interface FailureEntry extends Failure {
  /** How many failures the entry stands for that have no entry of their own. 0: it is about a single one. */
  readonly more: number;
}

interface Group {
  last: Failure;
  more: number;
  fromMs: number;
}

const groupMs = 60_000;
const mostAddresses = 5;
const otherAddresses = 'other addresses';

export class FailureGroups {
  readonly #accounts = new Map<string, Map<string, Group>>();

  /** Counts a failure. Returns the entry to write now, if there is one. */
  note(failure: Failure, nowMs: number): FailureEntry | undefined {
    const groups = this.#accounts.get(failure.account) ?? new Map<string, Group>();
    this.#accounts.set(failure.account, groups);
    const isFurther = !groups.has(placeOf(failure.address)) && groups.size >= mostAddresses;
    const place = isFurther ? otherAddresses : placeOf(failure.address);
    const last = isFurther ? { ...failure, address: otherAddresses } : failure;
    const known = groups.get(place);
    if (known !== undefined) {
      known.more += 1;
      known.last = last;
      return undefined;
    }
    groups.set(place, { last, more: isFurther ? 1 : 0, fromMs: nowMs });
    return isFurther ? undefined : { ...failure, more: 0 };
  }

  /** Returns the entries of minutes that are over, and forgets groups without a failure in their last minute. */
  due(nowMs: number): readonly FailureEntry[] {
    const entries: FailureEntry[] = [];
    for (const [account, groups] of this.#accounts) {
      for (const [place, group] of groups) {
        if (nowMs - group.fromMs < groupMs) continue;
        if (group.more === 0) groups.delete(place);
        else entries.push({ ...group.last, more: group.more });
        group.more = 0;
        group.fromMs = nowMs;
      }
      if (groups.size === 0) this.#accounts.delete(account);
    }
    return entries;
  }

  /** True if nothing is waited for. */
  get isEmpty(): boolean {
    return this.#accounts.size === 0;
  }
}
