import type { Surface } from '@/lib/runtime/surface/route';
import type { Instance } from './instance';

/** The tools of the instance's agent as they are now, its servers started; undefined when the instance is to stop. */
export async function readySurface({ plan, spec, scope }: Instance): Promise<Surface | undefined> {
  const leave = plan.waiting.join(spec.path);
  const surface = await scope.race<Surface | undefined>(plan.surface(), () => undefined);
  leave();
  return surface;
}
