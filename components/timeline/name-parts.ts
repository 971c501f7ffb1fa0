/** An end that tells names apart, such as the number in `auditor-12`, and then the index of an instance. */
const tellingEnd = /(?:[-_ .:/][^-_ .:/[\]]{1,5}|\d{1,5})?(?:\[\d+\])?$/u;

/** Cuts a name in two: what may be cut when there is no room, and the end that stays, so that `auditor-1[2]` and `auditor-2[2]` differ. */
export function nameParts(name: string): { readonly head: string; readonly tail: string } {
  const at = tellingEnd.exec(name)?.index ?? name.length;
  return at === 0 ? { head: name, tail: '' } : { head: name.slice(0, at), tail: name.slice(at) };
}
