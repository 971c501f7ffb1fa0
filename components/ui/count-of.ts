/** Returns a count with its noun: `1 file`, `1,200 files`. Pages of the server use it too. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
