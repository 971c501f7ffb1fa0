/** Repeats a step of some seconds while there is more, and returns how many runs it has done. */
export async function whileMore<T extends { readonly more: boolean }>(
  step: () => Promise<T>,
  count: (result: T) => number,
): Promise<number> {
  for (let done = 0; ; ) {
    const result = await step();
    done += count(result);
    if (!result.more) return done;
  }
}
