import { formsOf } from './secret-forms';

/** The start of a text, and the end of it that must wait for more text. */
export interface SplitText {
  readonly clean: string;
  /** Comes before the next piece of text. */
  readonly held: string;
  /** So many characters at the start of `held` are a part of what `clean` already shows as `***`. */
  readonly covered: number;
}

/** The secrets of a run, ready to be found in any form in texts. */
export interface Hider {
  /** Replaces the secrets by `***`. Returns the same text if it has none. For held text, pass `covered` of its `SplitText`. */
  hide(text: string, covered?: number): string;
  /** Hides secrets in the start of a text that goes on. What may be the beginning of a secret is held back. */
  split(text: string, covered?: number): SplitText;
}

const nothing: Hider = {
  hide: (text, covered = 0) => text.slice(covered),
  split: (text, covered = 0) => ({ clean: text.slice(covered), held: '', covered: 0 }),
};

/** By their secrets. Runs of a project have the same, and to prepare many takes time. */
const latest = new Map<string, Hider>();
const mostPrepared = 16;
const byList = new WeakMap<readonly string[], Hider>();

/** Returns the hider of all forms of secrets (./secret-forms). The same secrets are prepared once. */
export function hiderOf(secrets: readonly string[]): Hider {
  if (secrets.length === 0) return nothing;
  const known = byList.get(secrets);
  if (known !== undefined) return known;
  const distinct = [...new Set(secrets)].sort();
  const key = JSON.stringify(distinct);
  const hider = latest.get(key) ?? new FormHider(distinct.flatMap((secret) => [...formsOf(secret)]));
  latest.delete(key);
  latest.set(key, hider);
  for (const oldest of latest.keys()) {
    if (latest.size <= mostPrepared) break;
    latest.delete(oldest);
  }
  byList.set(secrets, hider);
  return hider;
}

/** Hides secrets in the first `longest` characters of a text. An end that may be the beginning of a secret is left out. */
export function hiddenStart(hider: Hider, text: string, longest: number): string {
  return text.length <= longest ? hider.hide(text) : hider.split(text.slice(0, longest)).clean;
}

/**
 * Finds every form at every place of a text, and replaces what they cover together, so that no end of one remains where two
 * overlap:
 *
 *   forms   abcdef  defghi
 *   text    1 abcdefghi 2     ──▶  1 *** 2
 *
 * Most places are skipped (Wu and Manber, 1994): a table says of the letters at the end of a window how far the window may
 * move before a form can begin there. Then the sorted forms are searched. Of the forms that begin a text, the longest is the
 * last one that sorts before the text, or one of that form's own beginnings.
 */
export class FormHider implements Hider {
  private readonly forms: readonly string[];
  /** For each form the longest other form that it begins with, or -1. */
  private readonly parents: Int32Array;
  /** By the hash of the last letters of a window: so far the window may move. */
  private readonly shifts: Uint8Array;
  /** No form is shorter than the window, and `block` letters at its end are looked up. */
  private readonly window: number;
  private readonly block: number;
  private readonly longest: number;

  constructor(forms: Iterable<string>) {
    this.forms = [...new Set(forms)].filter((form) => form !== '').sort();
    this.window = this.forms.reduce((least, form) => Math.min(least, form.length), widest);
    this.block = Math.min(this.window, 4);
    this.longest = this.forms.reduce((most, form) => Math.max(most, form.length), 0);
    this.parents = parentsOf(this.forms);
    this.shifts = this.shiftsOf();
  }

  hide(text: string, covered = 0): string {
    return this.scan(text, covered, false).clean;
  }

  split(text: string, covered = 0): SplitText {
    return this.scan(text, covered, true);
  }

  private scan(text: string, covered: number, goesOn: boolean): SplitText {
    let clean = '';
    /** All before is in `clean`, or hidden. */
    let done = covered;
    const last = text.length - this.window;
    const toBlock = this.window - this.block;
    let at = 0;
    while (at <= last) {
      const shift = this.shifts[this.hashAt(text, at + toBlock)] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const rank = this.rankOf(text, at);
      if (goesOn && this.mayGoOn(text, at, rank)) return this.heldFrom(text, at, clean, done);
      const length = this.lengthAt(text, at, rank);
      if (at + length > done && length > 0) {
        if (at >= done) clean += `${text.slice(done, at)}***`;
        done = at + length;
      }
      at += 1;
    }
    if (goesOn) {
      for (at = Math.max(0, last + 1); at < text.length; at += 1) {
        if (this.mayGoOn(text, at, this.rankOf(text, at))) return this.heldFrom(text, at, clean, done);
      }
    }
    return { clean: done === 0 ? text : clean + text.slice(done), held: '', covered: 0 };
  }

  private shiftsOf(): Uint8Array {
    const places = this.window - this.block;
    const entries = this.forms.length * (places + 1);
    const shifts = new Uint8Array(2 ** Math.min(22, Math.ceil(Math.log2(entries * 16 + 4_096)))).fill(places + 1);
    for (const form of this.forms) {
      for (let place = 0; place <= places; place += 1) {
        const hash = this.hashAt(form, place, shifts.length);
        shifts[hash] = Math.min(shifts[hash] ?? 0, places - place);
      }
    }
    return shifts;
  }

  private heldFrom(text: string, at: number, clean: string, done: number): SplitText {
    return {
      clean: clean + text.slice(done, Math.max(done, at)),
      held: text.slice(at),
      covered: Math.max(0, done - at),
    };
  }

  /** Returns the number of forms that sort before the text at a place, or are equal to its beginning. */
  private rankOf(text: string, at: number): number {
    let low = 0;
    let high = this.forms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comesAfter(this.forms[middle] ?? '', text, at)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Returns the length of the longest form at a place, or 0. */
  private lengthAt(text: string, at: number, rank: number): number {
    for (let index = rank - 1; index >= 0; index = this.parents[index] ?? -1) {
      const form = this.forms[index] ?? '';
      if (text.startsWith(form, at)) return form.length;
    }
    return 0;
  }

  /** True if all of the text from a place on is the beginning of a longer form. */
  private mayGoOn(text: string, at: number, rank: number): boolean {
    if (text.length - at >= this.longest) return false;
    return this.forms[rank]?.startsWith(text.slice(at)) === true;
  }

  private hashAt(text: string, at: number, size = this.shifts.length): number {
    let hash = 0;
    for (let index = at; index < at + this.block; index += 1) hash = Math.imul(hash, 0x9e3b) + text.charCodeAt(index);
    return (hash ^ (hash >>> 15)) & (size - 1);
  }
}

/** The longest window. */
const widest = 12;

/** True if a form sorts after the text at a place and does not begin it. */
function comesAfter(form: string, text: string, at: number): boolean {
  const length = Math.min(form.length, text.length - at);
  for (let index = 0; index < length; index += 1) {
    const difference = form.charCodeAt(index) - text.charCodeAt(at + index);
    if (difference !== 0) return difference > 0;
  }
  return form.length > length;
}

function parentsOf(forms: readonly string[]): Int32Array {
  const parents = new Int32Array(forms.length).fill(-1);
  for (let index = 1; index < forms.length; index += 1) {
    const form = forms[index] ?? '';
    let parent = index - 1;
    while (parent >= 0 && !form.startsWith(forms[parent] ?? '')) parent = parents[parent] ?? -1;
    parents[index] = parent;
  }
  return parents;
}
