import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { checkCreation, register } from '@/lib/runtime/children/create-agent';
import { workerCreateName } from '@/lib/runtime/delegation/workers';
import { activate } from '@/lib/runtime/instance/active-groups';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { findTools, findToolsName } from '@/lib/runtime/surface/find-tools';
import type { ControlTool } from '@/lib/runtime/surface/route';
import { activationToolName } from '@/lib/runtime/surface/tool-groups';

/**
 * Runs a built-in tool that changes what its own agent is offered from the next model call on. The change is recorded as an event. Only
 * `find_tools` has no event: its result names the tools.
 */
export function runControl(instance: Instance, tool: ControlTool, args: JsonObject, step: StepKey): ToolResult {
  switch (tool) {
    case 'create':
      return createWorker(instance, args, step);
    case 'activate':
      return activateGroups(instance, args, step);
    case 'find':
      return findTools(instance.surface?.searchable ?? [], args.query);
  }
}

const controlNames: ReadonlySet<string> = new Set([workerCreateName, activationToolName, findToolsName]);

/** True for the names of these tools, which are reserved. */
export function isControlName(name: string): boolean {
  return controlNames.has(name);
}

function createWorker(instance: Instance, args: JsonObject, step: StepKey): ToolResult {
  const { run, plan, spec } = instance;
  const made = checkCreation(instance, args);
  if (!made.ok) return errorResult('NOT_ALLOWED', `Error: ${made.error}`);
  run.ports.events.append({ kind: 'agent.created', path: spec.path, step, agent: made.value });
  register(run, made.value, plan.card);
  const { name, instructions, description, model, tools, outputSchema } = made.value;
  const definition = {
    name,
    instructions,
    ...(description === undefined ? {} : { description }),
    ...(model === undefined ? {} : { model }),
    ...(outputSchema ? { output_schema: outputSchema } : {}),
    tools,
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(definition) }],
    isError: false,
    structuredContent: definition,
  };
}

function activateGroups(instance: Instance, args: JsonObject, step: StepKey): ToolResult {
  const { run, spec } = instance;
  const done = activate(instance, args.to_activate);
  if (!done.ok) return errorResult('INPUT_VALIDATION', `Error: ${done.error}`);
  const { groups, text } = done.value;
  run.ports.events.append({ kind: 'groups.activated', path: spec.path, step, groups });
  return { content: [{ type: 'text', text }], isError: false };
}
