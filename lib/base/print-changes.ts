import { type Fingerprints, hashIn, onlyReads } from './known-servers';
import { own } from './own';

/** So many tools are named of each kind of change. */
const most = 8;

/** Says how the tools of a server changed, such as `new: a, b; gone: c`. Returns an empty text for equal lists. */
export function printChanges(before: Fingerprints, after: Fingerprints): string {
  const kept = Object.keys(after).filter((name) => Object.hasOwn(before, name));
  const prints = (name: string) => [own(before, name) ?? '', own(after, name) ?? ''] as const;
  const flips = (name: string, wasReading: boolean) => {
    const [was, is] = prints(name);
    return onlyReads(was) === wasReading && onlyReads(is) === !wasReading;
  };
  const changes = [
    ['new', Object.keys(after).filter((name) => !Object.hasOwn(before, name))],
    ['gone', Object.keys(before).filter((name) => !Object.hasOwn(after, name))],
    ['changed', kept.filter((name) => hashIn(prints(name)[0]) !== hashIn(prints(name)[1]))],
    ['may now write', kept.filter((name) => flips(name, true))],
    ['only reads now', kept.filter((name) => flips(name, false))],
  ] as const;
  return changes
    .filter(([, names]) => names.length > 0)
    .map(([word, names]) => `${word}: ${named(names)}`)
    .join('; ');
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
