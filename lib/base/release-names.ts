/*
 * Names of drafts and labels. They are parts of addresses and of git references, so they follow the rules of both.
 */

const pattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,58}[A-Za-z0-9_-])?$/;

/** Says what is wrong with the name of a draft, as a sentence; `undefined` if nothing is. */
export function draftNameFault(name: string): string | undefined {
  if (pattern.test(name) && !name.includes('..') && !name.endsWith('.lock')) return undefined;
  return "A name has up to 60 letters, digits, '-', '_' and '.', and begins with a letter or a digit.";
}

/** Names a draft, for lists and behind `the`. Every project has the draft `main`. */
export function draftWords(name: string): string {
  return name === 'main' ? 'main draft' : `draft ${name}`;
}

/** Works like `draftNameFault` for a label. A label is no number, because numbers are those of revisions. */
export function labelFault(name: string): string | undefined {
  if (/^\d+$/.test(name)) return 'A label is no number, because numbers name revisions.';
  return draftNameFault(name);
}
