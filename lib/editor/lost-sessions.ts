import type { Issue } from '@/lib/base/issue';
import type { Trace } from '@/lib/trace/trace';

/** A session that was not saved after a call of an agent. Later runs may not know what was said in it. */
export interface LostSession {
  readonly agentName: string;
  readonly message: string;
}

const codes: ReadonlySet<string> = new Set(['session_conflict', 'session_not_saved']);

/** Returns the lost sessions in the order in which they happened. */
export function lostSessions({ logs, lanes }: Pick<Trace, 'logs' | 'lanes'>): readonly LostSession[] {
  const found = logs.filter(({ code }) => codes.has(code));
  if (found.length === 0) return none;
  return found.map(({ lane, message }) => ({
    agentName: lane === undefined ? '' : (lanes[lane]?.agentName ?? ''),
    message,
  }));
}

/** The list is always the same object, so that nothing is drawn again for it. */
const none: readonly LostSession[] = [];

/** Returns lost sessions as problems of the cards of their agents. Agents that are no longer in the folder are left out. */
export function sessionProblems(
  lost: readonly LostSession[],
  cards: readonly { readonly name: string; readonly file: string }[],
): readonly Issue[] {
  return lost.flatMap(({ agentName, message }): Issue[] => {
    const card = cards.find(({ name }) => name === agentName);
    if (card === undefined) return [];
    const place = { file: card.file, line: 1, column: 1, agent: agentName };
    const last = `In the last run: ${message}`;
    return [{ code: 'session-not-saved', severity: 'warning', stage: 'callboard', message: last, ...place }];
  });
}
