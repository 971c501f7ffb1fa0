import type { Issue } from '@/lib/base/issue';
import type { FailedStart } from '@/lib/trace/trace';

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

/**
 * Returns the failures as problems of the cards whose agents use the servers. Agents that are no longer in the folder are
 * left out.
 */
export function startProblems(
  failed: readonly FailedStart[],
  cards: readonly { readonly name: string; readonly file: string }[],
): readonly Issue[] {
  return failed.flatMap(({ agentName, message }): Issue[] => {
    const card = cards.find(({ name }) => name === agentName);
    if (card === undefined) return [];
    const place = { file: card.file, line: 1, column: 1, agent: agentName };
    const last = `In the last run: ${message}`;
    return [{ code: 'server-unavailable', severity: 'error', stage: 'callboard', message: last, ...place }];
  });
}
