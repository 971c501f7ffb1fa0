import type { Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import { skillsOf } from '@/lib/cards/read/skills';
import { joinPath } from '@/lib/cards/references';
import { isSecretFile } from '@/lib/cards/secret-files';
import { workerPolicy } from '@/lib/cards/worker-policy';
import type { CreatedAgent } from '@/lib/runtime/delegation/created-agents';
import type { AgentPlan } from '@/lib/runtime/instance/agent-plan';
import type { Run } from '@/lib/runtime/instance/run';
import { WaitingRoom } from '@/lib/runtime/instance/setups';
import { readHistoryFile } from '@/lib/runtime/instruction/history-file';
import { describeServers, resolveInstruction, wantsServers } from '@/lib/runtime/instruction/instruction';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { iterationLimitOf } from '@/lib/runtime/request/limits';
import { type ResolvedModel, resolveModel } from '@/lib/runtime/request/resolve-model';
import type { Surface, ToolRoute } from '@/lib/runtime/surface/route';
import { buildSurface } from '@/lib/runtime/surface/surface';

const portNames = ['mcp', 'function', 'runtime'] as const;

export function planAgent(run: Run, card: AgentCard): AgentPlan {
  const models = new Map<string, Result<ResolvedModel, RunError>>();
  let listedAt = -1;
  let surface: Promise<Surface> | undefined;
  let instruction: Promise<string> | undefined;
  const own = new WaitingRoom(run.setups, run.scope);
  return {
    card,
    get waiting() {
      const creator = run.createdAgents.get(card.name)?.creator;
      return creator ? run.planOf(creator).waiting : own;
    },
    policy: workerPolicy(card, run.cards.keys(), run.parsed.settings),
    instruction(offered) {
      instruction ??= instructionOf(run, card, offered);
      return instruction;
    },
    initialHistory: historyOf(run, card),
    iterations: iterationLimitOf(card.requestParams, run.limits),
    maxParallel: card.maxParallel ?? run.limits.maxParallel,
    isSequential: card.requestParams.parallel_tool_calls === false,
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
      const created = run.createdAgents.get(card.name);
      if (created) return grantedSurface(run, created);
      let version = 0;
      for (const name of portNames) version += run.ports.tools[name]?.version(card) ?? 0;
      if (!surface || version !== listedAt) {
        listedAt = version;
        surface = listSurface(run, card, own);
      }
      return surface;
    },
  };
}

/** Returns the tools of an agent created in the run: those it was granted, with its creator's routes. */
async function grantedSurface(run: Run, { creator, tools }: CreatedAgent): Promise<Surface> {
  const whole = await run.planOf(creator).surface();
  const routes = new Map<string, ToolRoute>();
  for (const name of tools) {
    const route = whole.routes.get(name);
    if (route) routes.set(name, route);
  }
  const offered = [...routes.values()].map(({ tool }) => tool);
  return { tools: offered, names: offered.map(({ name }) => name), routes, warnings: [] };
}

async function instructionOf(run: Run, card: AgentCard, surface: Surface): Promise<string> {
  // A created agent's instruction is plain text, because placeholders could read files that its creator must not read.
  if (run.createdAgents.get(card.name)) return card.instruction ?? '';
  const { skills, missing } = skillsOf(card, run.folder);
  for (const directory of missing) {
    const message = `Agent '${card.name}': '${directory}' holds no skill. Put a SKILL.md into it or correct the path.`;
    run.log({ level: 'warning', code: 'skill_missing', message });
  }
  const { text, missing: files } = resolveInstruction(card, {
    now: run.ports.clock.now(),
    folder: run.folder,
    skills,
    included: run.included,
    serverInstructions: wantsServers(card, run.included) ? await serverInstructions(run, card, surface) : '',
  });
  for (const file of files) {
    const why = isSecretFile(file) ? 'holds secrets' : 'is not in the project';
    const message = `Agent '${card.name}': {{file:${file}}} ${why} and stays empty.`;
    run.log({ level: 'warning', code: 'placeholder_file', message });
  }
  return text;
}

async function serverInstructions(run: Run, card: AgentCard, surface: Surface): Promise<string> {
  try {
    const told = await run.ports.tools.mcp?.instructions?.(card, run.scope.signal);
    return describeServers(told ?? [], surface.tools, surface.searchable);
  } catch (error) {
    const message = `What the servers of agent '${card.name}' say about themselves cannot be read: ${thrownMessage(error)}`;
    run.log({ level: 'warning', code: 'server_instructions', message });
    return '';
  }
}

function historyOf(run: Run, card: AgentCard): readonly Message[] {
  return card.messages.flatMap((written) => {
    const path = joinPath(card.file, written);
    const file = path === undefined ? undefined : run.folder.get(path);
    if (path !== undefined && file?.kind === 'text') return readHistoryFile(path, file.text, run.folder);
    const message = `Agent '${card.name}': the history file '${written}' cannot be read and is left out.`;
    run.log({ level: 'warning', code: 'history_missing', message });
    return [];
  });
}

async function listSurface(run: Run, card: AgentCard, waiting: WaitingRoom): Promise<Surface> {
  if (card.shell && !run.ports.shell) {
    const message = `Agent '${card.name}' asks for a shell, which is not allowed here. It is not offered 'execute'.`;
    run.log({ level: 'warning', code: 'shell_left_out', message });
  }
  const [mcp, functions, runtime] = await Promise.all(portNames.map((name) => listPort(run, card, name, waiting)));
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
    cards: run.cards,
    settings: run.parsed.settings,
    listed: { mcp, function: functions, runtime },
  });
  for (const warning of surface.warnings) run.log(warning);
  return surface;
}

async function listPort(
  run: Run,
  card: AgentCard,
  name: (typeof portNames)[number],
  waiting: WaitingRoom,
): Promise<readonly ToolDescriptor[]> {
  const port = run.ports.tools[name];
  if (!port) return [];
  try {
    const { tools, issues } = await port.list(card, run.scope.signal, (server) => waiting.starting(server));
    for (const issue of issues) run.log({ level: issue.severity, code: issue.code, message: issue.message });
    return tools;
  } catch (error) {
    const message = `The ${name} tools of agent '${card.name}' cannot be listed: ${thrownMessage(error)}`;
    run.log({ level: 'error', code: 'tools_unavailable', message });
    return [];
  }
}
