/**
 * Returns the place of the tab to which a key moves from the tab at `from`, of `count`: arrows go round, Home and End go to the
 * first and the last. `undefined` for any other key.
 */
export function tabAfterKey(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowRight':
      return (from + 1) % count;
    case 'ArrowLeft':
      return (from - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
