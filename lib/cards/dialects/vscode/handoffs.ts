import { isRecord } from '@/lib/base/json';
import type { DialectNote } from '@/lib/cards/dialects/form/dialect';
import { quoted } from '@/lib/cards/dialects/form/quoted';

/** What a person may choose next: a button below an answer of the agent. */
export interface Handoff {
  readonly label: string;
  /** The name of the agent, as it is written. */
  readonly agent: string;
}

/** Reads `handoffs`. Source: code.visualstudio.com/docs/agent-customization/custom-agents, *Handoffs*. */
export function handoffsIn(value: unknown): readonly Handoff[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    if (!isRecord(entry) || typeof entry.agent !== 'string') return [];
    return [{ agent: entry.agent.trim(), label: typeof entry.label === 'string' ? entry.label : entry.agent }];
  });
}

export function handoffsNote(handoffs: readonly Handoff[]): DialectNote {
  const say = (words: readonly string[]) =>
    `'handoffs' is kept and has no effect here: in VS Code a person chooses the next agent with a button below the answer (${words.join(', ')}). Here a person starts that agent with a run of its own.`;
  return { key: 'handoffs', use: 'kept', path: ['handoffs'], words: handoffs.map(({ agent }) => agent), say };
}

export function absentHandoffs(names: readonly string[]): DialectNote {
  const say = (words: readonly string[]) =>
    `'handoffs' names agents that the folder does not have, so VS Code shows no button for them: ${quoted(words)}.`;
  return { key: 'absent-handoffs', use: 'kept', path: ['handoffs'], words: names, say };
}
