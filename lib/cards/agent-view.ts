import { oncePer } from '@/lib/base/once-per';
import type { AgentCard, Card, IterativePlannerCard, OrchestratorCard, RouterCard } from './card';

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

/** An agent card without anything but its file, its names and its texts. */
export const plainAgent = {
  type: 'agent',
  isDefault: false,
  toolOnly: false,
  schemaVersion: 1,
  model: undefined,
  useHistory: true,
  requestParams: {},
  apiKey: undefined,
  humanInput: false,
  saveTrajectory: false,
  messages: [],
  servers: [],
  tools: {},
  resources: {},
  prompts: {},
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
  skills: undefined,
  toolInputSchema: undefined,
  trimToolHistory: false,
  shell: false,
  cwd: undefined,
  subagents: undefined,
  subagentModel: undefined,
  harnessTools: false,
  commands: {},
  variables: undefined,
} satisfies Omit<AgentCard, 'file' | 'name' | 'instruction' | 'description'>;

function viewOf(card: Exclude<Card, AgentCard>): AgentCard {
  const { file, name, instruction, description, isDefault, toolOnly, schemaVersion } = card;
  return {
    ...plainAgent,
    file,
    name,
    // An empty text keeps the default prompt of agents away, which says nothing about a workflow.
    instruction: instruction ?? '',
    description,
    isDefault,
    toolOnly,
    schemaVersion,
    skills: [],
    // Without the field: a planner begins anew each time, and a remote agent keeps its own conversation.
    useHistory: card.type !== 'iterative_planner' && card.type !== 'a2a',
    ...fieldsOf(card),
  };
}

/** The fields that the type of the card shares with agents, without its members: those are no tools of a model. */
function fieldsOf(card: Exclude<Card, AgentCard>): Partial<AgentCard> {
  switch (card.type) {
    case 'chain':
    case 'parallel':
    case 'a2a':
      return {};
    case 'evaluator_optimizer':
    case 'MAKER':
      return { messages: card.messages };
    case 'iterative_planner':
      return plannerFields(card);
    case 'orchestrator':
      return modelFields(card);
    case 'router': {
      const { servers, tools, resources, prompts } = card;
      return { ...modelFields(card), servers, tools, resources, prompts };
    }
  }
}

function modelFields(card: RouterCard | OrchestratorCard): Partial<AgentCard> {
  const { useHistory, humanInput, saveTrajectory } = card;
  return { ...plannerFields(card), useHistory, humanInput, saveTrajectory };
}

function plannerFields(card: RouterCard | OrchestratorCard | IterativePlannerCard): Partial<AgentCard> {
  const { model, requestParams, apiKey, messages } = card;
  return { model, requestParams, apiKey, messages };
}
