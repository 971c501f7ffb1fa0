/** The parts of the editor between which F6 moves, in the order of the page. `text` is the wide editor. */
export const regions = ['outline', 'canvas', 'inspector', 'text', 'dock'] as const;
export type Region = (typeof regions)[number];

/** The words for people who do not see the screen. */
export const regionNames: Readonly<Record<Region, string>> = {
  outline: 'Outline',
  canvas: 'Canvas',
  inspector: 'Inspector',
  text: 'Text editor',
  dock: 'Dock',
};

export function isRegion(value: unknown): value is Region {
  return regions.some((region) => region === value);
}

/**
 * Returns the region after or before the one with the focus, of those that are open. After the last comes the first. From
 * outside of all, the first or the last one is next.
 */
export function nextRegion(
  open: readonly Region[],
  now: Region | undefined,
  to: 'next' | 'previous',
): Region | undefined {
  const row = regions.filter((region) => open.includes(region) || region === now);
  const at = now === undefined ? -1 : row.indexOf(now);
  if (to === 'next') return row[(at + 1) % row.length];
  return row[at <= 0 ? row.length - 1 : at - 1];
}
