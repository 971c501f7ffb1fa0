/**
 * How much JavaScript each page may load before it can be used: KB of 1,024 bytes, gzipped, without what only old browsers load.
 * `node bin/page-sizes.mjs` prints what the pages of a build load. React and Next alone are 130 of it. Code that a page loads later, when
 * something is opened or beside its data, does not count here; `npm run bench -- timeline` counts all that the page of a run loads.
 */

/** The goals, by the path of the page in `app`. */
export const goals: Readonly<Record<string, number>> = {
  '/': 180,
  '/runs': 200,
  '/p/[project]/runs': 200,
  '/r/[run]': 198,
  '/p/[project]': 600,
};

/** These pages have no goal. They may have little more than what they had when this was measured. */
const others: Readonly<Record<string, number>> = {
  '/compare': 242,
  '/inbox': 254,
  '/p/[project]/chat': 290,
  '/p/[project]/reviews/[review]': 388,
};
/** Every other page may have as much as the pages of settings. */
const settings = 246;

export function budgetOf(page: string): number {
  return goals[page] ?? others[page] ?? settings;
}
