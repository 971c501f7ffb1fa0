import type { AgentCard, CodeRef } from '@/lib/cards/card';
import type { HookEntry, HookPolicy } from '@/lib/cards/hook-settings';
import type { Settings } from '@/lib/cards/settings';
import type { HookPort } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { declarativeLayer } from './declarative-layer';
import type { HookLayer, PlacedLayer } from './hook-layer';

/** The hooks of one run. Layers have state, so each is created once. */
export interface RunHooks {
  /**
   * Returns the layers that wrap every tool call of an agent, outermost first: those of the run, then of `agent_hooks`,
   * then of the card.
   */
  chainOf(card: AgentCard, withRunHooks: boolean): readonly PlacedLayer[];
  policyOf(hook: CodeRef): HookPolicy;
  /**
   * Says why no instance of the agent may run. If one of its hooks cannot run, the agent must not run either, because the
   * hook may be a guard.
   */
  problemOf(card: AgentCard, withRunHooks: boolean): RunError | undefined;
  /** Returns the code hooks that wrap tool calls of an agent. */
  codeOf(card: AgentCard, withRunHooks: boolean): readonly CodeRef[];
}

interface Part {
  readonly layers: readonly HookLayer[];
  /** Says why one of the hooks cannot be used. */
  readonly fault: string | undefined;
}

interface Chains {
  /** `all` includes the hooks of the run; `own` does not. */
  readonly all: readonly PlacedLayer[];
  readonly own: readonly PlacedLayer[];
  readonly fault: string | undefined;
}

/** Plans the hooks of every card. For a created agent, `guardedAs` returns the agent whose hooks wrap its calls. */
export function planHooks(
  settings: Settings,
  port: HookPort | undefined,
  guardedAs: (card: AgentCard) => AgentCard = (card) => card,
): RunHooks {
  const runPart = layersOf('run_hooks', settings.run_hooks);
  const chains = new Map<string, Chains>();

  function layersOf(where: string, entries: readonly HookEntry[]): Part {
    const layers: HookLayer[] = [];
    let fault: string | undefined;
    for (const entry of entries) {
      if (entry.kind === 'code') {
        if (port) layers.push(codeLayer(port, entry.code, policyOf(entry.code)));
        continue;
      }
      try {
        layers.push(declarativeLayer(entry));
      } catch (error) {
        fault ??= `A ${entry.kind} hook in '${where}' cannot be used: ${thrownMessage(error)}`;
      }
    }
    return { layers, fault };
  }

  function chainsOf(card: AgentCard): Chains {
    let known = chains.get(card.name);
    if (!known) {
      const { layers, fault } = layersOf(`agent_hooks.${card.name}`, agentEntries(settings, card));
      const own = [...layers, ...layersOf(card.file, cardChain(card)).layers];
      known = { all: placed([...runPart.layers, ...own]), own: placed(own), fault };
      chains.set(card.name, known);
    }
    return known;
  }

  function codeOf(card: AgentCard, withRunHooks: boolean): CodeRef[] {
    const entries = [...(withRunHooks ? settings.run_hooks : []), ...agentEntries(settings, card), ...cardChain(card)];
    return entries.flatMap((entry) => (entry.kind === 'code' ? [entry.code] : []));
  }

  /** A policy for the hook's file wins over one for its reference, because the path is more exact. */
  function policyOf({ spec, file, functionName }: CodeRef): HookPolicy {
    return own(settings.hooks, `${file}:${functionName}`) ?? own(settings.hooks, spec) ?? noPolicy;
  }

  return {
    chainOf(card, withRunHooks) {
      const chains = chainsOf(guardedAs(card));
      return withRunHooks ? chains.all : chains.own;
    },
    policyOf,
    codeOf,
    problemOf(given, withRunHooks) {
      const card = guardedAs(given);
      const fault = chainsOf(card).fault ?? (withRunHooks ? runPart.fault : undefined);
      if (fault !== undefined) return { code: 'hooks_unavailable', message: fault };
      if (port) return undefined;
      const inSettings = [...(withRunHooks ? settings.run_hooks : []), ...agentEntries(settings, card)];
      const settingsCode = inSettings.flatMap((entry) => (entry.kind === 'code' ? [entry.code] : []));
      const cardCode = card.toolHooks.form === 'chain' ? card.toolHooks.chain : [];
      const ownCode = [...cardCode, ...phaseCode(card)];
      if (settingsCode.length + ownCode.length === 0) return undefined;
      const names = [...settingsCode, ...ownCode].map(({ spec }) => spec).join(', ');
      const files = [
        ...(settingsCode.length > 0 ? ['callboard.yaml'] : []),
        ...(ownCode.length > 0 ? [card.file] : []),
      ];
      const message = `Agent '${card.name}' has hooks that cannot run here: ${names}. Remove them from ${files.join(' and ')} to run it without.`;
      return { code: 'hooks_unavailable', message };
    },
  };
}

/** Returns the card's phase hooks and lifecycle hooks. */
export function phaseCode({ toolHooks, lifecycleHooks }: AgentCard): readonly CodeRef[] {
  const phases = toolHooks.form === 'phases' ? Object.values(toolHooks.phases) : [];
  return [...phases, ...Object.values(lifecycleHooks)];
}

const noPolicy: HookPolicy = {};

function cardChain({ toolHooks }: AgentCard): HookEntry[] {
  return toolHooks.form === 'chain' ? toolHooks.chain.map((code) => ({ kind: 'code', code })) : [];
}

function agentEntries(settings: Settings, card: AgentCard): readonly HookEntry[] {
  return own(settings.agent_hooks, card.name) ?? [];
}

function codeLayer(port: HookPort, hook: CodeRef, policy: HookPolicy): HookLayer {
  return {
    name: hook.spec,
    code: hook,
    onError: policy.on_error ?? 'fail',
    maxNext: 1,
    matches: () => true,
    around: ({ context, args, next, signal, log }) =>
      port.around(hook, context, args, next, { signal, log, timeoutMs: policy.timeout_ms }),
  };
}

function placed(layers: readonly HookLayer[]): PlacedLayer[] {
  return layers.map((layer, index) => ({ layer, place: index + 1 }));
}

/** Reads an own property only, because an agent may be called `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
