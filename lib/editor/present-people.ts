import type { PresentWindow } from '@/lib/base/presence';
import { nameOf } from './presence';

/** Somebody who has the project open. */
export interface PresentPerson {
  readonly key: string;
  /** At the beginning of a sentence. */
  readonly name: string;
  /** One or two letters. */
  readonly initials: string;
  /** One of `toneCount` colours, the same wherever the person is shown. */
  readonly tone: number;
  readonly selected: readonly string[];
  readonly draft: string;
  readonly page: PresentWindow['page'];
}

export const toneCount = 5;

/** Lists people once, each where the window is that came last. Windows without a name are people of their own. */
export function presentPeople(windows: readonly PresentWindow[]): readonly PresentPerson[] {
  const people = new Map<string, PresentPerson & { readonly since: number }>();
  for (const window of windows) {
    const name = nameOf(window);
    const key = window.name === undefined ? window.id : window.you ? `you ${window.name}` : window.name;
    const before = people.get(key);
    if (before !== undefined && before.since > window.since) continue;
    const { selected, draft, page, since } = window;
    people.set(key, { key, name, initials: initialsOf(window.name), tone: toneOf(key), selected, draft, page, since });
  }
  return [...people.values()];
}

function initialsOf(name: string | undefined): string {
  const words = (name ?? '').split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    word === undefined ? '' : [...word][0],
  );
  const text = letters.join('').toUpperCase();
  return text === '' ? '•' : text;
}

function toneOf(key: string): number {
  let sum = 0;
  for (const letter of key) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % toneCount;
}
