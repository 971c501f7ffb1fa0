import { err, ok, type Result } from '@/lib/base/result';
import { checkBudget, countUsage } from './budget';
import { outputInstruction } from './child-output';
import type { RunError } from './events';
import { deltaSink } from './forwarding';
import { instanceSurface } from './instance-surface';
import { stepKey } from './journal';
import { type AssistantMessage, addUsage, noUsage } from './messages';
import type { LogBody, ModelPort, ModelRequest, ModelResponse } from './ports';
import type { Instance } from './run-state';
import { thrownMessage } from './tool-error';

type ModelControl = Parameters<ModelPort['complete']>[1];

const cancelled: RunError = { code: 'cancelled', message: 'The model call was cancelled.' };

/** The next model call of the instance, or its recorded outcome. */
export async function callModel(instance: Instance): Promise<Result<AssistantMessage, RunError>> {
  const { run, spec, plan, scope } = instance;
  instance.modelCalls += 1;
  const turn = instance.modelCalls;
  const step = stepKey(spec.path, 'm', turn);

  const recorded = run.journal.modelEnd(step);
  if (recorded) {
    instance.usage = addUsage(instance.usage, recorded.usage);
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

  const { events, model } = run.ports;
  events.append({
    kind: 'model.started',
    path: spec.path,
    step,
    attempt: run.journal.nextAttempt(step),
    model: instance.model,
    ...askedModel(model, instance.model),
    messageCount: instance.messages.length,
    tools: surface.names,
  });
  const request = {
    runId: run.request.runId,
    path: spec.path,
    agentName: spec.card.name,
    instanceName: spec.name,
    turn,
    step,
    model: instance.model,
    instruction: spec.outputSchema ? instruction + outputInstruction(spec.outputSchema) : instruction,
    messages: instance.messages,
    tools: surface.tools,
    requestParams: spec.card.requestParams,
  };
  const control = {
    signal: scope.signal,
    onDelta: deltaSink(instance, step),
    log: (body: LogBody) => run.log(body, spec.path, step),
  };
  const response = await scope.race(complete(model, request, control), cancelledResponse);
  countUsage(instance, instance.model, response.usage);
  events.append({
    kind: 'model.ended',
    path: spec.path,
    step,
    message: response.ok ? response.message : undefined,
    error: response.ok ? undefined : response.error,
    usage: response.usage,
    firstTokenMs: response.ok ? response.firstTokenMs : undefined,
    requests: response.requests,
  });
  return response.ok ? ok(response.message) : err(response.error);
}

export function cancelledResponse(): ModelResponse {
  return { ok: false, error: cancelled, usage: noUsage, requests: 0 };
}

/** What is known of who answers, for the record. */
export function askedModel(
  port: ModelPort,
  model: string,
): { readonly provider?: string; readonly modelName?: string } {
  const asked = port.describe?.(model);
  if (asked === undefined) return {};
  return asked.name === model ? { provider: asked.provider } : { provider: asked.provider, modelName: asked.name };
}

/** Asks the model; what it throws against its contract is an answer too. */
export async function complete(port: ModelPort, request: ModelRequest, control: ModelControl): Promise<ModelResponse> {
  try {
    return await port.complete(request, control);
  } catch (error) {
    const message = `The model call failed: ${thrownMessage(error)}`;
    return { ok: false, error: { code: 'model_failed', message }, usage: noUsage, requests: 0 };
  }
}
