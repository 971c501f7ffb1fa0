import type { Json, JsonObject } from '@/lib/base/json';
import type { CallIdentity } from '@/lib/cards/hook-when';
import { type PlacedLayer, scrubbedArguments } from '@/lib/runtime/hook-layers/hook-layer';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { NamedCall } from '@/lib/runtime/surface/own-name';

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
