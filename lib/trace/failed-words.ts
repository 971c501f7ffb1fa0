/** Returns a sentence such as `1 server did not start`. */
export function failedWords(failed: readonly unknown[]): string {
  return `${failed.length} ${failed.length === 1 ? 'server' : 'servers'} did not start`;
}
