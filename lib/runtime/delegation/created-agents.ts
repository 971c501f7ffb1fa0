import type { JsonObject } from '@/lib/base/json';
import { agentView } from '@/lib/cards/agent-view';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { CreatedAgentRecord } from '@/lib/runtime/record/events';

/** An agent that another agent created. It exists until the run ends, and can only use tools of its creator. */
export interface CreatedAgent {
  readonly card: AgentCard;
  readonly creator: AgentCard;
  /** The tools' names as its creator's model sees them. */
  readonly tools: readonly string[];
  readonly outputSchema: JsonObject | undefined;
}

/** Finds the agents created in a run by name and by the card whose instances may call them. */
export class CreatedAgents {
  private readonly byName = new Map<string, CreatedAgent>();
  private readonly byCreator = new Map<string, CreatedAgent[]>();

  get(name: string): CreatedAgent | undefined {
    return this.byName.get(name);
  }

  names(): Iterable<string> {
    return this.byName.keys();
  }

  of(creator: string): readonly CreatedAgent[] {
    return this.byCreator.get(creator) ?? none;
  }

  add(agent: CreatedAgent): void {
    if (this.byName.has(agent.card.name)) return;
    this.byName.set(agent.card.name, agent);
    this.byCreator.set(agent.creator.name, [...this.of(agent.creator.name), agent]);
  }
}

const none: readonly CreatedAgent[] = [];

/** Rebuilds the created agents of a resumed run from its log. */
export function recordedAgents(
  records: readonly CreatedAgentRecord[],
  cards: ReadonlyMap<string, Card>,
): CreatedAgents {
  const created = new CreatedAgents();
  for (const record of records) {
    const creator = cards.get(record.creator);
    if (creator) created.add(agentOf(record, agentView(creator)));
  }
  return created;
}

export function agentOf(record: CreatedAgentRecord, creator: AgentCard): CreatedAgent {
  const { name, instructions, description, model, tools, outputSchema } = record;
  const card: AgentCard = {
    ...creator,
    name,
    instruction: instructions,
    description,
    model,
    isDefault: false,
    toolOnly: true,
    requestParams: {},
    humanInput: false,
    messages: [],
    agents: [],
    lifecycleHooks: {},
    skills: [],
    toolInputSchema: undefined,
    historySource: undefined,
    historyMergeTarget: undefined,
    useHistory: true,
  };
  return { card, creator, tools, outputSchema };
}
