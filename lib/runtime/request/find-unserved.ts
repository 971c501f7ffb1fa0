import type { AgentCard } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { workerPolicy } from '@/lib/cards/worker-policy';
import type { ModelPort } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { resolveModel } from './resolve-model';
import type { RunRequest } from './run-request';
import { agentCards } from './validate';

/**
 * Finds the first agent, breadth first from the entry, whose model no provider serves, because the run would fail there
 * after it had done work. Each pair of agent and caller's model is checked once. An agent without a model is reported when
 * it is called.
 */
export function findUnserved(
  parsed: ParsedFolder,
  request: Pick<RunRequest, 'model'>,
  models: Pick<ModelPort, 'problemOf'>,
  entry: AgentCard,
): RunError | undefined {
  if (models.problemOf === undefined) return undefined;
  const agents = agentCards(parsed);
  const { settings } = parsed;
  const seen = new Set<string>();
  const waiting: { card: AgentCard; edge: string | undefined; caller: string | undefined }[] = [
    { card: entry, edge: undefined, caller: undefined },
  ];
  for (const { card, edge, caller } of waiting) {
    const key = JSON.stringify([card.name, edge, caller]);
    if (seen.has(key)) continue;
    seen.add(key);
    const resolved = resolveModel(card, parsed, request, caller === undefined ? undefined : { edge, caller });
    if (!resolved.ok) continue;
    const problem = models.problemOf(resolved.value.model);
    if (problem !== undefined) return { ...problem, message: `Agent '${card.name}': ${problem.message}` };
    const { callable, tools, onlyAsTools } = workerPolicy(card, agents.keys(), settings);
    for (const name of new Set([...card.agents, ...callable, ...tools, ...onlyAsTools])) {
      const child = agents.get(name);
      if (child === undefined) continue;
      const options = settings.delegations[card.name];
      const edgeModel = options !== undefined && Object.hasOwn(options, name) ? options[name]?.model : undefined;
      waiting.push({ card: child, edge: edgeModel, caller: resolved.value.model });
    }
  }
  return undefined;
}
