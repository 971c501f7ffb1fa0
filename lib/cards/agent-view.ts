import { oncePer } from '@/lib/base/once-per';
import type { AgentCard, Card, GlobFilter } from './card';

/**
 * Returns a card as an agent: what a run needs of it whatever its type. A workflow has no children as tools, because its
 * steps are not chosen by a model, and no hooks or code of its own. Its model, servers and history are those that its type
 * has.
 */
export const agentView = oncePer((card: Card): AgentCard => (card.type === 'agent' ? card : viewOf(card)));

/** True if an instance of the card makes model calls of its own, so that it needs a model. */
export function asksModel(card: Card): boolean {
  switch (card.type) {
    case 'agent':
    case 'orchestrator':
    case 'iterative_planner':
      return true;
    case 'router':
      return card.agents.length > 1;
    case 'chain':
    case 'parallel':
    case 'evaluator_optimizer':
    case 'MAKER':
    case 'a2a':
      return false;
  }
}

const noFilter: GlobFilter = {};

function viewOf(card: Exclude<Card, AgentCard>): AgentCard {
  const { file, name, instruction, description, isDefault, toolOnly, schemaVersion } = card;
  const servers =
    card.type === 'router' ? card : { servers: [], tools: noFilter, resources: noFilter, prompts: noFilter };
  const asking = 'requestParams' in card ? card : undefined;
  return {
    type: 'agent',
    file,
    name,
    // An empty text keeps the default prompt of agents away, which says nothing about a workflow.
    instruction: instruction ?? '',
    description,
    isDefault,
    toolOnly,
    schemaVersion,
    model: asking?.model,
    // Without the field: a planner begins anew each time, and a remote agent keeps its own conversation.
    useHistory: 'useHistory' in card ? card.useHistory : card.type !== 'iterative_planner' && card.type !== 'a2a',
    requestParams: asking?.requestParams ?? {},
    apiKey: asking?.apiKey,
    humanInput: 'humanInput' in card ? card.humanInput : false,
    saveTrajectory: 'saveTrajectory' in card ? card.saveTrajectory : false,
    messages: 'messages' in card ? card.messages : [],
    servers: servers.servers,
    tools: servers.tools,
    resources: servers.resources,
    prompts: servers.prompts,
    historySource: undefined,
    historyMergeTarget: undefined,
    maxParallel: undefined,
    childTimeoutSec: undefined,
    maxDisplayInstances: undefined,
    agents: [],
    functionTools: [],
    toolHooks: { form: 'none' },
    lifecycleHooks: {},
    mcpConnect: [],
    skills: [],
    toolInputSchema: undefined,
    trimToolHistory: false,
    shell: false,
    cwd: undefined,
    subagents: undefined,
    subagentModel: undefined,
    harnessTools: false,
    commands: {},
    variables: undefined,
  };
}
