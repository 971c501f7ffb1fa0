import type { ListedTools } from '@/lib/base/known-servers';
import { agentView, plainAgent } from '@/lib/cards/agent-view';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { withSecrets } from '@/lib/cards/read/secrets';

/** A folder with what was read in it. */
export interface ReadProject {
  readonly folder: Folder;
  readonly parsed: ParsedFolder;
}

/** One side of a comparison. */
export interface Side extends ReadProject {
  /** The cards by name. Of two with the same name it has the first. */
  readonly cards: ReadonlyMap<string, Card>;
  readonly listed: ListedTools;
}

/** Two sides. Names in `before` are those of `after` where something was renamed. */
export interface Sides {
  readonly before: Side;
  readonly after: Side;
}

/** One agent on both sides. */
export interface AgentPair {
  readonly name: string;
  readonly card: { readonly before: Card | undefined; readonly after: Card | undefined };
  /** The card as an agent. An agent that does not exist can do nothing. */
  readonly before: AgentCard;
  readonly after: AgentCard;
  /** True if the agent is on both sides. */
  readonly isKept: boolean;
  /** True if it is on both sides and runs here on one of them only: a remote agent has no model, no instruction and no history here. */
  readonly isMoved: boolean;
}

/** Returns a side as runs see it: its config has the values of the secrets file. Its values are not shown; the hosts and commands are. */
export function sideOf(project: ReadProject, listed: ListedTools = {}): Side {
  const { config } = withSecrets(project.parsed, project.folder);
  return { ...writtenSide({ ...project, parsed: { ...project.parsed, config } }), listed };
}

/** Returns a side as its files are written, without the secrets file. */
export function writtenSide(project: ReadProject): Side {
  const cards = new Map<string, Card>();
  for (const card of project.parsed.cards) if (!cards.has(card.name)) cards.set(card.name, card);
  return { ...project, cards, listed: {} };
}

export function agentPairs({ before, after }: Sides): AgentPair[] {
  return both(before.cards.keys(), after.cards.keys()).map((name) => {
    const card = { before: before.cards.get(name), after: after.cards.get(name) };
    return {
      name,
      card,
      before: viewOf(name, card.before),
      after: viewOf(name, card.after),
      isKept: card.before !== undefined && card.after !== undefined,
      isMoved:
        card.before !== undefined &&
        card.after !== undefined &&
        (card.before.type === 'a2a') !== (card.after.type === 'a2a'),
    };
  });
}

function viewOf(name: string, card: Card | undefined): AgentCard {
  if (card !== undefined) return agentView(card);
  return { ...plainAgent, name, file: '', instruction: '', description: undefined, skills: [] };
}

/** Returns the names of both lists, each once, sorted. */
export function both(before: Iterable<string>, after: Iterable<string>): string[] {
  return [...new Set([...before, ...after])].sort();
}
