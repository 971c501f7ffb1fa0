import { err, ok, type Result } from '@/lib/base/result';
import { checkBudget, recountCall } from './budget';
import { outputInstruction } from './child-output';
import type { RunError } from './events';
import { deltaSink } from './forwarding';
import { instanceSurface } from './instance-surface';
import { stepKey } from './journal';
import type { AssistantMessage } from './messages';
import { askModel, cancelled } from './model-call';
import type { Instance } from './run-state';

/** The next model call of the instance, or its recorded outcome. */
export async function callModel(instance: Instance): Promise<Result<AssistantMessage, RunError>> {
  const { run, spec, plan, scope } = instance;
  instance.modelCalls += 1;
  const turn = instance.modelCalls;
  const step = stepKey(spec.path, 'm', turn);

  const recorded = run.journal.modelEnd(step);
  if (recorded) {
    recountCall(instance, instance.model, recorded.usage);
    if (recorded.message) return ok(recorded.message);
    return err(recorded.error ?? cancelled);
  }

  checkBudget(run, instance.model);
  if (scope.reason) return err(cancelled);
  const whole = await scope.race(plan.surface(), () => undefined);
  const instruction = whole && (await scope.race(plan.instruction(whole), () => undefined));
  if (scope.reason || !whole || instruction === undefined) return err(cancelled);
  const surface = instanceSurface(instance, whole);
  instance.surface = surface;

  const question = {
    turn,
    step,
    model: instance.model,
    instruction: spec.outputSchema ? instruction + outputInstruction(spec.outputSchema) : instruction,
    messages: instance.messages,
    tools: surface.tools,
    requestParams: spec.card.requestParams,
  };
  const response = await askModel(instance, question, deltaSink(instance, step));
  return response.ok ? ok(response.message) : err(response.error);
}
