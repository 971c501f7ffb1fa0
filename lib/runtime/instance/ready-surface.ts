import type { Surface } from '@/lib/runtime/surface/route';
import type { Instance } from './instance';

/** Waits for the servers of the agent and returns its current tools; `undefined` when the instance is cancelled. */
export async function readySurface({ plan, spec, scope }: Instance): Promise<Surface | undefined> {
  const leave = plan.waiting.join(spec.path);
  const surface = await scope.race<Surface | undefined>(plan.surface(), () => undefined);
  leave();
  return surface;
}
