import type { StepKey } from '@/lib/base/ids';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ModelResponse, SampleRequest } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { sampleKey } from '@/lib/runtime/record/step-key';
import { isScripted, resolveModel } from '@/lib/runtime/request/resolve-model';
import { checkBudget } from './budget';
import { askModel, cancelledResponse } from './model-call';

/**
 * Returns a function that makes model calls on behalf of a tool call. They are recorded as model calls of the instance, and
 * their tokens count for it. A call that a crash interrupted is made again; a recorded one is not.
 */
export function samplerOf(instance: Instance, call: StepKey): (request: SampleRequest) => Promise<ModelResponse> {
  let count = 0;
  return (request) => {
    // The call is counted before any await, because the number is part of the step's key.
    count += 1;
    return sample(instance, sampleKey(call, count), count, request);
  };
}

async function sample(instance: Instance, step: StepKey, turn: number, request: SampleRequest): Promise<ModelResponse> {
  const { scope } = instance;
  if (scope.reason) return cancelledResponse();
  const model = modelFor(instance, request.model);
  if (typeof model !== 'string') return model;
  const budget = checkBudget(instance, model);
  if (budget) await budget;
  if (scope.reason) return cancelledResponse();
  return askModel(instance, { ...request, turn, step, model, tools: [] }, () => {});
}

/** Scripts hold answers for agents and none for servers, so in a scripted run such calls fail. */
function modelFor({ run, spec, model }: Instance, wanted: string | undefined): string | ModelResponse {
  if (isScripted(run.parsed, run.request)) {
    const message = 'The run is scripted: there is no model that could answer a server.';
    return { ok: false, error: { code: 'model_scripted', message }, usage: noUsage, requests: 0 };
  }
  if (wanted === undefined) return model;
  const resolved = resolveModel({ ...spec.card, model: wanted }, run.parsed, run.request);
  const refuse = (error: RunError): ModelResponse => ({ ok: false, error, usage: noUsage, requests: 0 });
  if (!resolved.ok) return refuse(resolved.error);
  const problem = run.ports.model.problemOf?.(resolved.value.model);
  return problem === undefined ? resolved.value.model : refuse(problem);
}
