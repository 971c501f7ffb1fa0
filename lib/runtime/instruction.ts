import type { EpochMs } from '@/lib/base/ids';
import type { AgentCard } from '@/lib/cards/card';

const defaultInstruction = 'You are a helpful Agent.';
const months = 'January February March April May June July August September October November December'.split(' ');

/**
 * The system prompt of an agent: `{{currentDate}}` (as `17 December 2025`, UTC) and `{{agentName}}` are filled in, an
 * escaped `\{{` and every other placeholder stay as written.
 */
export function resolveInstruction(card: AgentCard, now: EpochMs): string {
  const text = card.instruction ?? defaultInstruction;
  if (!text.includes('{{')) return text;
  return text.replace(/(\\?)\{\{(currentDate|agentName)\}\}/g, (whole, backslash: string, name: string) => {
    if (backslash) return whole;
    return name === 'agentName' ? card.name : longDate(now);
  });
}

function longDate(now: EpochMs): string {
  const date = new Date(now);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
