import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import type { CreatedAgentRecord } from '@/lib/runtime/record/events';

/** An agent that another agent created. It exists until the run ends, and has tools of its creator alone. */
export interface CreatedAgent {
  readonly card: AgentCard;
  readonly creator: AgentCard;
  /** Names on its creator's surface. */
  readonly tools: readonly string[];
  readonly outputSchema: JsonObject | undefined;
}

/** The agents made in a run, by name and by the card whose instances may call them. */
export class CreatedAgents {
  private readonly byName = new Map<string, CreatedAgent>();
  private readonly byCreator = new Map<string, CreatedAgent[]>();

  get(name: string): CreatedAgent | undefined {
    return this.byName.get(name);
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

/** The agents that the log says were created, for a resumed run. */
export function recordedAgents(
  records: readonly CreatedAgentRecord[],
  agents: ReadonlyMap<string, AgentCard>,
): CreatedAgents {
  const created = new CreatedAgents();
  for (const record of records) {
    const creator = agents.get(record.creator);
    if (creator) created.add(agentOf(record, creator));
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
