import type { Json, JsonObject } from '@/lib/base/json';
import { type CallIdentity, type PlacedLayer, scrubbedArguments } from '@/lib/runtime/hook-layers/hook-layer';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ToolSource } from '@/lib/runtime/record/events';

/** The seed's table of identities. `offeredAs`: the tool's name as the model has it. */
export function identityOf(source: ToolSource, serverName: string | undefined, offeredAs: string): CallIdentity {
  return {
    serverName: serverOf(source, serverName),
    toolName: nameForHooks(source, offeredAs),
    toolSource: source,
  };
}

/** The hooks that are round a call, outermost first. */
export function layersRound(
  { run, spec }: Instance,
  identity: CallIdentity,
  offeredAs: string,
): readonly PlacedLayer[] {
  const chain = run.hooks.chainOf(spec.card, spec.runHooks);
  return chain.filter(({ layer }) => layer.matches(identity, offeredAs));
}

/** A call's arguments as they may be shown, without what hooks hide; `text` when they were no JSON object. */
export function shownArguments(
  instance: Instance,
  identity: CallIdentity,
  offeredAs: string,
  args: JsonObject | string,
): Json {
  const layers = layersRound(instance, identity, offeredAs).filter(({ layer }) => layer.scrub?.arguments);
  if (layers.length === 0) return args;
  if (typeof args !== 'string') return scrubbedArguments(layers, args);
  return scrubbedArguments(layers, { '': args })[''] ?? '';
}

/** A model's tools may have no dot in their names, so the shell is offered as `execute`; guards know it as the seed has it. */
function nameForHooks(source: ToolSource, offeredAs: string): string {
  return source === 'runtime' && offeredAs === 'execute' ? 'shell.execute' : offeredAs;
}

function serverOf(source: ToolSource, serverName: string | undefined): string | null {
  switch (source) {
    case 'mcp':
      return serverName ?? null;
    case 'function':
      return null;
    case 'agent':
    case 'runtime':
      return source;
  }
}
