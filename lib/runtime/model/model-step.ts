import { err, ok, type Result } from '@/lib/base/result';
import { outputInstruction } from '@/lib/runtime/delegation/child-output';
import { deltaSink } from '@/lib/runtime/instance/forwarding';
import type { Instance } from '@/lib/runtime/instance/instance';
import { instanceSurface } from '@/lib/runtime/instance/instance-surface';
import { readySurface } from '@/lib/runtime/instance/ready-surface';
import type { RunError } from '@/lib/runtime/record/events';
import type { AssistantMessage } from '@/lib/runtime/record/messages';
import { stepKey } from '@/lib/runtime/record/step-key';
import { checkBudget, recountCall } from './budget';
import { askModel, cancelled } from './model-call';

/** Makes the next model call of the instance, or returns its recorded outcome. */
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
  const whole = await readySurface(instance);
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
    requestParams: instance.turn.requestParams,
  };
  const response = await askModel(instance, question, deltaSink(instance, step));
  return response.ok ? ok(response.message) : err(response.error);
}
