import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import { isToolCardFolder, parentOf } from '@/lib/cards/file-role';
import { makeIssue } from '@/lib/cards/read/file-report';
import { membersOf } from '@/lib/cards/read/members';
import type { Settings } from '@/lib/cards/settings';
import { workerPolicy } from '@/lib/cards/worker-policy';

/** Reports cards in `tool-cards/` that no agent can call. fast-agent's `go` offers them to the entry agent. */
export function checkToolCards(cards: readonly Card[], settings: Settings): Issue[] {
  const toolCards = cards.filter(({ file }) => isToolCardFolder(parentOf(file)));
  if (toolCards.length === 0) return [];
  const names = cards.map(({ name }) => name);
  const used = new Set(
    cards.flatMap((card) => {
      if (card.type !== 'agent') return membersOf(card);
      const { callable, tools, onlyAsTools } = workerPolicy(card, names, settings);
      return [...card.agents, ...callable, ...tools, ...onlyAsTools];
    }),
  );
  return toolCards.flatMap(({ file, name }) => {
    if (used.has(name)) return [];
    const text = `No agent can call '${name}'. fast-agent's 'go' offers the cards of tool-cards/ to the agent it begins with; here, add it to 'agents' of that agent.`;
    return [makeIssue('tool-card-unused', { file, line: 1, column: 1, agent: name }, text)];
  });
}
