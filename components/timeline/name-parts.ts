/** An end that tells names apart, such as the number in `auditor-12`, and then the index of an instance. */
const tellingEnd = /(?:[-_ .:/][^-_ .:/[\]]{1,5}|\d{1,5})?(?:\[\d+\])?$/u;

/** Splits a name into a part that may be shortened and an end that always shows. The end tells `auditor-1[2]` from `auditor-2[2]`. */
export function nameParts(name: string): { readonly head: string; readonly tail: string } {
  const at = tellingEnd.exec(name)?.index ?? name.length;
  return at === 0 ? { head: name, tail: '' } : { head: name.slice(0, at), tail: name.slice(at) };
}
