import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import { describeSchemaFault, jsonSchemaFault } from '@/lib/cards/read/json-schema-fault';
import { childToolName } from '@/lib/cards/tool-name';
import { agentOf } from '@/lib/runtime/delegation/created-agents';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { Run } from '@/lib/runtime/instance/run';
import type { CreatedAgentRecord } from '@/lib/runtime/record/events';
import { resolveModel } from '@/lib/runtime/request/resolve-model';

/**
 * Checks the arguments of `worker_create`, without side effects. The name must be new in the project and in the run, and
 * the new agent's tools must be tools of its creator.
 */
export function checkCreation(instance: Instance, args: JsonObject): Result<CreatedAgentRecord, string> {
  const { run, plan, surface, wholeSurface } = instance;
  const name = text(args.name);
  const instructions = text(args.instructions);
  const description = text(args.description);
  const model = text(args.model);
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return err("'name' must be letters, digits, '_' and '-'.");
  if (name.length > 40) return err("'name' must have at most 40 characters.");
  // Names that differ in case alone would be taken for each other.
  const isLike = (other: string) => other.toLowerCase() === name.toLowerCase();
  const taken = [...run.parsed.cards.map((card) => card.name), ...run.createdAgents.names()].find(isLike);
  if (taken !== undefined) return err(`There is an agent '${taken}' already. Choose another name.`);
  const toolOf = (agent: string) =>
    childToolName(
      agent,
      run.parsed.settings.tool_naming,
      delegationOptions(run.parsed.settings, plan.card.name, agent).tool_name,
    );
  const tool = toolOf(name);
  const others = [
    ...run.createdAgents.of(plan.card.name).map((agent) => toolOf(agent.card.name)),
    ...(wholeSurface?.routes.keys() ?? []),
  ];
  if (others.some((other) => other.toLowerCase() === tool.toLowerCase()))
    return err(`It would be called as '${tool}', which is another tool's name.`);
  if (instructions === '') return err("'instructions' must not be blank.");
  const tools = names(args.tools);
  if (!tools) return err("'tools' must be a list of tool names.");
  // A created agent cannot get the tools that create and call workers, other created agents, or tools that people answer for
  // named agents.
  const own = [...(surface?.routes ?? [])].flatMap(([tool, route]) => {
    const isOwn = route.kind !== 'workers' && !(route.kind === 'port' && route.control);
    const isExternal = Object.hasOwn(run.parsed.settings.external_tools, tool);
    return isOwn && !isExternal && wholeSurface?.routes.has(tool) ? [tool] : [];
  });
  const foreign = tools.find((tool) => !own.includes(tool));
  if (foreign !== undefined) {
    const shown = own.filter((tool) => !surface?.searchable || surface.names.includes(tool)).sort();
    const more = own.length > shown.length ? `, and ${own.length - shown.length} more that find_tools finds` : '';
    return err(`You have no tool '${foreign}' to give. Yours: ${shown.join(', ') || 'none'}${more}.`);
  }
  const { output_schema } = args;
  if (output_schema !== undefined && output_schema !== null && !isObject(output_schema)) {
    return err("'output_schema' must be a JSON Schema object.");
  }
  const fault = isObject(output_schema) ? jsonSchemaFault(output_schema) : undefined;
  if (fault) return err(`'output_schema' cannot be used: ${describeSchemaFault(fault)}. Correct it.`);
  const record: CreatedAgentRecord = {
    name,
    creator: plan.card.name,
    instructions,
    description: description === '' ? undefined : description,
    model: model === '' ? undefined : model,
    outputSchema: isObject(output_schema) ? output_schema : undefined,
    tools,
  };
  const resolved = resolveModel(agentOf(record, plan.card).card, run.parsed, run.request, {
    edge: undefined,
    caller: instance.model,
  });
  const problem = resolved.ok ? run.ports.model.problemOf?.(resolved.value.model) : resolved.error;
  if (problem === undefined) return ok(record);
  // Only a person can correct the settings, so the model is told only what it can do itself.
  run.log({ level: 'warning', code: problem.code, message: `worker_create: ${problem.message}` }, instance.spec.path);
  return err(
    `Model '${resolved.ok ? resolved.value.model : model}' is not available. Leave 'model' out, or name another one.`,
  );
}

export function register(run: Run, record: CreatedAgentRecord, creator: AgentCard): void {
  run.createdAgents.add(agentOf(record, creator));
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

function names(value: Json | undefined): string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const list = value.flatMap((item) => (typeof item === 'string' ? [item.trim()] : []));
  return list.length === value.length ? [...new Set(list)] : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
