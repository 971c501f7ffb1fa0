export function countWord(runs: number): string {
  return `${runs.toLocaleString('en-US')} ${runs === 1 ? 'run' : 'runs'}`;
}
