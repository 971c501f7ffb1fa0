import type { Json, JsonObject } from '@/lib/base/json';
import { type CallIdentity, type PlacedLayer, scrubbedArguments } from '@/lib/runtime/hook-layers/hook-layer';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolSource } from '@/lib/runtime/record/events';
import type { NamedCall } from '@/lib/runtime/surface/own-name';

/** Returns what hooks know a call by (docs/hooks.md). `offeredAs` is the tool's name as the model sees it. */
export function identityOf(source: ToolSource, serverName: string | undefined, offeredAs: string): CallIdentity {
  return {
    serverName: serverOf(source, serverName),
    toolName: nameForHooks(source, offeredAs),
    toolSource: source,
  };
}

/** Returns the hooks that wrap a call, outermost first. */
export function layersAround(
  { run, spec }: Instance,
  identity: CallIdentity,
  names: readonly string[],
): readonly PlacedLayer[] {
  const chain = run.hooks.chainOf(spec.card, spec.runHooks);
  return chain.filter(({ layer }) => layer.matches(identity, names));
}

/** Returns the names by which hooks may mean a call. That of an agent counts also when `worker_call` calls it. */
export function namesOf(
  { name }: Pick<NamedCall, 'name'>,
  tool: Pick<ToolDescriptor, 'name'> | undefined,
): readonly string[] {
  return tool === undefined || tool.name === name ? [name] : [name, tool.name];
}

/**
 * Returns a call's arguments as they are recorded, without the values that hooks hide. They are a text when they were not a
 * JSON object.
 */
export function shownArguments(
  instance: Instance,
  identity: CallIdentity,
  names: readonly string[],
  args: JsonObject | string,
): Json {
  const layers = layersAround(instance, identity, names).filter(({ layer }) => layer.scrub?.arguments);
  if (layers.length === 0) return args;
  if (typeof args !== 'string') return scrubbedArguments(layers, args);
  return scrubbedArguments(layers, { '': args })[''] ?? '';
}

/** Models get the shell as `execute`, because names of tools must not contain a dot. Hooks know it by its dotted name. */
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
