import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import { err, ok, type Result } from '@/lib/base/result';
import type { RouterCard } from '@/lib/cards/card';
import type { Instance } from '@/lib/runtime/instance/instance';
import { askForJson } from '@/lib/runtime/model/ask';
import { noteRepair } from '@/lib/runtime/model/odd-end';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import { repairMessage } from '@/lib/runtime/record/repair-message';
import { agentsInstruction } from './agents-text';
import { askWithTools } from './ask-with-tools';
import { decide } from './decide';
import { assistantMessage, ownRequest } from './request';
import { runStep } from './steps';

/**
 * A model chooses the agent that gets the request; the agent's answer is the router's (router_agent.py).
 *
 *                      ┌▶ a
 *   request ▶ model ···┼▶ b ──▶ answer
 *                      └▶ c
 *
 * With one agent there is no choice and no model call. With servers the model may use their tools before it chooses.
 */
export async function runRouter(
  instance: Instance,
  card: RouterCard,
  loop: (instance: Instance) => Promise<Result<string, RunError>>,
): Promise<Result<string, RunError>> {
  const [only = ''] = card.agents;
  const question = routeQuestion(instance, card);
  const ask = (messages: readonly Message[]) =>
    card.servers.length === 0
      ? askForJson(instance, { ...question, messages })
      : askWithTools(instance, { ...question, messages }, loop);
  const route =
    card.agents.length === 1 ? ok<Route>({ agent: only, ...onlyOne }) : await chooseAgent(instance, card, ask);
  if (!route.ok) return route;
  decide(instance, { what: 'route', ...route.value, candidates: [...new Set(card.agents)] });
  return runStep(instance, { agent: route.value.agent, ...ownRequest(instance), isLast: true });
}

interface Route {
  readonly agent: string;
  readonly confidence: string;
  readonly reasoning?: string | undefined;
}

const onlyOne = { confidence: 'high', reasoning: 'It is the only agent.' };

/** Asks for a choice, and once more if it names an agent that the router does not have. */
async function chooseAgent(
  instance: Instance,
  card: RouterCard,
  ask: (messages: readonly Message[]) => Promise<Result<Json, RunError>>,
): Promise<Result<Route, RunError>> {
  const { plan, spec } = instance;
  const request = instance.messages.slice(-1);
  const messages = [...plan.initialHistory, ...(card.useHistory ? spec.history : []), ...request];
  const first = await ask(messages);
  if (!first.ok) return first;
  const choice = readChoice(card, first.value);
  // With tools, the model loop has told the names and asked once more already.
  const mayAskAgain = card.servers.length === 0;
  if (choice.ok || choice.error.code !== 'router_unknown_agent' || !mayAskAgain) return choice;
  const reason = `there is no agent '${namedIn(first.value)}'. The agents are: ${listOf(card)}`;
  noteRepair(instance, reason);
  const second = await ask([...messages, assistantMessage(JSON.stringify(first.value)), repairMessage(reason)]);
  return second.ok ? readChoice(card, second.value) : second;
}

function readChoice(card: RouterCard, value: Json): Result<Route, RunError> {
  const { confidence, reasoning } = isRecord(value) ? value : {};
  const why = typeof reasoning === 'string' && reasoning.trim() !== '' ? reasoning.trim() : undefined;
  const agent = namedIn(value);
  if (card.agents.includes(agent)) {
    return ok({ agent, confidence: typeof confidence === 'string' ? confidence : '', reasoning: why });
  }
  if (agent === '' || agent.toLowerCase() === 'none') {
    const said = why === undefined ? 'Its model gave no reason.' : `Its model's reason: ${why}`;
    const message = `Router '${card.name}' found no agent for the request. ${said} Add an agent for such requests, or describe the agents better.`;
    return err({ code: 'router_no_choice', message });
  }
  const message = `Router '${card.name}' has no agent '${agent}', which its model chose twice. It has: ${listOf(card)}. Describe the agents better, or choose another model.`;
  return err({ code: 'router_unknown_agent', message });
}

function namedIn(value: Json): string {
  return isRecord(value) && typeof value.agent === 'string' ? value.agent.trim() : '';
}

function listOf({ agents }: RouterCard): string {
  return [...new Set(agents)].join(', ');
}

function routeQuestion(instance: Instance, card: RouterCard) {
  const instruction = agentsInstruction(instance, {
    agents: card.agents,
    fill: fillInstruction,
    usual: ownInstruction,
    rules: answerForm,
  });
  return { instruction, schema: routeSchema, narrower: schemaFor(card), name: 'route' };
}

/** Fills in as Python's `str.format` does in fast-agent: `{context}` is the agents, and doubled braces stand for single ones. */
function fillInstruction(text: string, agents: string): string {
  return text.replace(/\{\{([^{}]*)\}\}|\{context\}/g, (place, inner: string | undefined) =>
    place === '{context}' || inner === 'agents' ? agents : `{${inner}}`,
  );
}

const ownInstruction = `You pass each request on to the one agent that can handle it best. You do not answer it yourself.

Compare what the request needs with what each agent is for and with the tools it has.`;

const answerForm = `Choose exactly one agent and write its name as it stands in the list. If no agent can handle the request, choose null and say why.
'confidence' says how sure you are: high, medium or low. 'reasoning' says in one or two sentences why you chose it.`;

/** What an answer must fit. Which names are agents is checked after it. */
const routeSchema: JsonObject = {
  type: 'object',
  properties: {
    agent: { type: ['string', 'null'] },
    confidence: { type: 'string' },
    reasoning: { type: ['string', 'null'] },
  },
  required: ['agent', 'confidence'],
};

/** What is asked for: only names of agents can be chosen. */
const schemaFor = oncePer(
  ({ agents }: RouterCard): JsonObject => ({
    type: 'object',
    properties: {
      agent: { type: ['string', 'null'], enum: [...new Set(agents), null] },
      confidence: { type: 'string', enum: ['high', 'medium', 'low'] },
      reasoning: { type: 'string' },
    },
    required: ['agent', 'confidence', 'reasoning'],
    additionalProperties: false,
  }),
);
