import type { FailedStart } from './trace';

/** Returns the failures that concern one agent, or one server. */
export function startsOf(
  failed: readonly FailedStart[],
  of: { readonly agent: string } | { readonly server: string },
): readonly FailedStart[] {
  if (failed.length === 0) return failed;
  return failed.filter((one) => ('agent' in of ? one.agentName === of.agent : one.server === of.server));
}

/** Returns one failure for each server, because several agents may use the same server. */
export function distinctServers(
  failed: readonly FailedStart[],
): readonly { readonly name: string; readonly message: string }[] {
  const byName = new Map(failed.map(({ server, message }) => [server, message]));
  return [...byName].map(([name, message]) => ({ name, message }));
}
