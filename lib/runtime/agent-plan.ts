import type { Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import type { RunError } from './events';
import { resolveInstruction } from './instruction';
import { maxIterationsOf } from './limits';
import type { ToolDescriptor, ToolPort } from './ports';
import { type ResolvedModel, resolveModel } from './resolve-model';
import type { InstanceSpec, Run } from './run-state';
import { buildSurface, type Surface } from './surface';
import { thrownMessage } from './tool-error';

/** What is the same for every instance of a card in one run, worked out once. */
export interface AgentPlan {
  readonly card: AgentCard;
  readonly instruction: string;
  readonly maxIterations: number;
  readonly maxParallel: number;
  /** The model of an instance, by what its delegation hands down. */
  modelOf(handed: InstanceSpec['handedModels']): Result<ResolvedModel, RunError>;
  /** The tools as they are now: listed again only when a port's version has changed. Never rejects. */
  surface(): Promise<Surface>;
}

const portNames = ['mcp', 'function', 'runtime'] as const;

export function planAgent(run: Run, card: AgentCard): AgentPlan {
  const models = new Map<string, Result<ResolvedModel, RunError>>();
  let listedAt = -1;
  let surface: Promise<Surface> | undefined;
  return {
    card,
    instruction: resolveInstruction(card, run.ports.clock.now()),
    maxIterations: maxIterationsOf(card, run.limits),
    maxParallel: card.maxParallel ?? run.limits.maxParallel,
    modelOf(handed) {
      const key = JSON.stringify(handed);
      let model = models.get(key);
      if (!model) {
        model = resolveModel(card, run.parsed, run.request, handed);
        models.set(key, model);
        const warnings = model.ok ? model.value.warnings : [];
        for (const message of warnings) run.log({ level: 'warning', code: 'model_reference', message });
      }
      return model;
    },
    surface() {
      let version = 0;
      for (const name of portNames) version += run.ports.tools[name]?.version(card) ?? 0;
      if (!surface || version !== listedAt) {
        listedAt = version;
        surface = listSurface(run, card);
      }
      return surface;
    },
  };
}

async function listSurface(run: Run, card: AgentCard): Promise<Surface> {
  const [mcp, functions, runtime] = await Promise.all(
    portNames.map((name) => listPort(run, card, name, run.ports.tools[name])),
  );
  if (!run.ports.tools.function && card.functionTools.length > 0) {
    const names = card.functionTools.map((tool) => tool.entrypoint).join(', ');
    run.log({
      level: 'warning',
      code: 'function_tools_left_out',
      message: `Agent '${card.name}': function tools cannot run here and are not offered: ${names}.`,
    });
  }
  const surface = buildSurface({
    card,
    agents: run.agents,
    settings: run.parsed.settings,
    listed: { mcp, function: functions, runtime },
  });
  for (const warning of surface.warnings) run.log(warning);
  return surface;
}

async function listPort(
  run: Run,
  card: AgentCard,
  name: string,
  port: ToolPort | undefined,
): Promise<readonly ToolDescriptor[]> {
  if (!port) return [];
  try {
    const { tools, issues } = await port.list(card, run.scope.signal);
    for (const issue of issues) run.log({ level: issue.severity, code: issue.code, message: issue.message });
    return tools;
  } catch (error) {
    const message = `The ${name} tools of agent '${card.name}' cannot be listed: ${thrownMessage(error)}`;
    run.log({ level: 'error', code: 'tools_unavailable', message });
    return [];
  }
}
