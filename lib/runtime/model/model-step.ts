import { err, ok, type Result } from '@/lib/base/result';
import { outputInstruction } from '@/lib/runtime/delegation/child-output';
import { deltaSink } from '@/lib/runtime/instance/forwarding';
import type { Instance } from '@/lib/runtime/instance/instance';
import { instanceSurface } from '@/lib/runtime/instance/instance-surface';
import { readySurface } from '@/lib/runtime/instance/ready-surface';
import type { RunError } from '@/lib/runtime/record/events';
import type { AssistantMessage, Message } from '@/lib/runtime/record/messages';
import { stepKey } from '@/lib/runtime/record/step-key';
import { checkBudget, recountCall } from './budget';
import { askModel, cancelled, type ModelQuestion } from './model-call';

/** The content of a model call. Its number, key and model are those of the instance. */
export type StepQuestion = Omit<ModelQuestion, 'turn' | 'step' | 'model'> & {
  /** True if the text of the answer belongs to the live stream. */
  readonly isStreamed: boolean;
};

/** Makes the next model call of the agent's loop, or returns its recorded outcome. */
export async function callModel(instance: Instance): Promise<Result<AssistantMessage, RunError>> {
  return modelStep(
    instance,
    async () => {
      const { spec, plan, scope } = instance;
      const whole = await readySurface(instance);
      const instruction = whole && (await scope.race(plan.instruction(whole), () => undefined));
      if (!whole || instruction === undefined) return undefined;
      const surface = instanceSurface(instance, whole);
      instance.surface = surface;
      const schema = spec.outputSchema;
      return {
        instruction: schema ? instruction + outputInstruction(schema) : instruction,
        messages: instance.messages,
        tools: surface.tools,
        requestParams: instance.turn.requestParams,
        responseFormat: schema && { name: spec.card.name, schema },
        isStreamed: true,
      };
    },
    instance.messages,
  );
}

/**
 * Makes a model call as the instance's next step `#m<n>`, or returns the recorded outcome of that step. `prepare` makes the
 * question when there is a call to make; `undefined` means that the instance was cancelled meanwhile. `conversation` is what the
 * recorded call was asked, if it was the instance's own conversation.
 */
export async function modelStep(
  instance: Instance,
  prepare: () => Promise<StepQuestion | undefined>,
  conversation?: readonly Message[],
): Promise<Result<AssistantMessage, RunError>> {
  const { run, spec, scope } = instance;
  // Counted before any await: the number is part of the step's key.
  instance.modelCalls += 1;
  const turn = instance.modelCalls;
  const step = stepKey(spec.path, 'm', turn);

  const recorded = run.journal.modelEnd(step);
  if (recorded) {
    recountCall(instance, instance.model, recorded.usage);
    if (conversation) run.requests.noteSent(instance, step, conversation);
    if (recorded.message) {
      run.requests.noteAnswer(recorded.message, step);
      return ok(recorded.message);
    }
    return err(recorded.error ?? cancelled);
  }

  const budget = checkBudget(instance, instance.model);
  if (budget) await budget;
  if (scope.reason) return err(cancelled);
  const asked = await prepare();
  if (scope.reason || !asked) return err(cancelled);
  const onDelta = asked.isStreamed ? deltaSink(instance, step) : () => {};
  // The fields are listed because an object made by spreading takes several times the memory.
  const question: ModelQuestion = {
    turn,
    step,
    model: instance.model,
    instruction: asked.instruction,
    messages: asked.messages,
    tools: asked.tools,
    requestParams: asked.requestParams,
    responseFormat: asked.responseFormat,
  };
  const response = await askModel(instance, question, onDelta);
  return response.ok ? ok(response.message) : err(response.error);
}
