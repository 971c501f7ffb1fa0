import { canonicalJson } from '@/lib/base/canonical-json';
import { parseJson } from '@/lib/base/json';
import { cutText } from '@/lib/base/well-formed';
import type { MakerCard } from '@/lib/cards/card';

type Rules = Pick<MakerCard, 'k' | 'maxSamples' | 'matchStrategy' | 'redFlagMaxLength'>;

/** A record of votes shows this many characters of an answer. */
const shownLength = 200;

/** Votes for answers that are the same under a strategy. The first answer that leads by `k` votes wins (maker_agent.py). */
export class Vote {
  samples = 0;
  discarded = 0;
  private readonly rules: Rules;
  /** Votes by the answer in its normal form, in the order in which the answers came. */
  private readonly counts = new Map<string, { votes: number; answer: string }>();

  constructor(rules: Rules) {
    this.rules = rules;
  }

  /** Counts an answer. Returns its votes so far, or the reason why it does not count. */
  add(answer: string): { readonly votes: number } | { readonly discarded: string } {
    this.samples += 1;
    const { redFlagMaxLength, matchStrategy } = this.rules;
    if (redFlagMaxLength && isLonger(answer, redFlagMaxLength)) {
      this.discarded += 1;
      return { discarded: `longer than ${redFlagMaxLength} characters` };
    }
    const key = normalForm(answer, matchStrategy);
    const known = this.counts.get(key);
    const votes = (known?.votes ?? 0) + 1;
    this.counts.set(key, { votes, answer });
    return { votes };
  }

  /** Returns by how many votes the leading answer leads. */
  get margin(): number {
    let first = 0;
    let second = 0;
    for (const { votes } of this.counts.values()) {
      if (votes > first) [first, second] = [votes, first];
      else if (votes > second) second = votes;
    }
    return first - second;
  }

  get isWon(): boolean {
    return this.margin >= this.rules.k;
  }

  /**
   * Returns a number of samples that cannot be too many. Each sample changes the lead by one vote at most, so of the next
   * `k - margin` samples only the last can decide the vote.
   */
  get wanted(): number {
    return Math.max(0, Math.min(this.rules.k - this.margin, this.rules.maxSamples - this.samples));
  }

  /**
   * Returns the answer with the most votes. If several have as many, the one that was given first is returned. Texts that count
   * as equal may differ in details: the text of the last of them is returned.
   */
  get leader(): string | undefined {
    return this.ranking()[0]?.answer;
  }

  /** Returns all answers that count, those with most votes first, with the beginning of each text. */
  get result(): { readonly answer: string; readonly count: number }[] {
    return this.ranking().map(({ answer, votes }) => ({ answer: shown(answer), count: votes }));
  }

  private ranking(): { readonly votes: number; readonly answer: string }[] {
    return [...this.counts.values()].sort((a, b) => b.votes - a.votes);
  }
}

/** Returns the beginning of an answer, for a record. */
export function shown(answer: string): string {
  return answer.length > shownLength ? `${cutText(answer, shownLength)}…` : answer;
}

function isLonger(text: string, characters: number): boolean {
  return text.length > characters && [...text].length > characters;
}

function normalForm(answer: string, strategy: string): string {
  switch (strategy) {
    case 'normalized':
      return answer.trim().toLowerCase().split(/\s+/).join(' ');
    case 'structured': {
      const parsed = parseJson(answer);
      return parsed === undefined ? answer : canonicalJson(parsed);
    }
    default:
      return answer;
  }
}
