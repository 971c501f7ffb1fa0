import type { StepKey } from '@/lib/base/ids';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ModelControl, ModelPort, ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { withOwnNames } from '@/lib/runtime/surface/own-name';
import { countCall } from './budget';

/** The fields in which the model calls of one instance differ. */
export type ModelQuestion = Omit<ModelRequest, 'runId' | 'path' | 'agentName' | 'instanceName'>;

export const cancelled: RunError = { code: 'cancelled', message: 'The model call was cancelled.' };

/** Makes a model call, records its start and its end, and counts its usage for the instance and the run. */
export async function askModel(
  instance: Instance,
  question: ModelQuestion,
  onDelta: ModelControl['onDelta'],
): Promise<ModelResponse> {
  const { run, spec, scope } = instance;
  const { step, model, messages, tools } = question;
  const { events } = run.ports;
  // The port knows the provider and the real name of the model. Both are recorded beside the name on the card.
  const asked = run.ports.model.describe?.(model);
  events.append({
    kind: 'model.started',
    path: spec.path,
    step,
    attempt: run.journal.nextAttempt(step),
    model,
    provider: asked?.provider,
    modelName: asked?.name === model ? undefined : asked?.name,
    messageCount: messages.length,
    tools: tools.map(({ name }) => name),
    request: run.requests.record(instance, question),
  });
  // The fields are listed one by one, because an object made by spreading takes several times the memory.
  const request: ModelRequest = {
    turn: question.turn,
    step,
    model,
    instruction: question.instruction,
    messages,
    tools,
    requestParams: question.requestParams,
    responseFormat: question.responseFormat,
    runId: run.request.runId,
    path: spec.path,
    agentName: spec.card.name,
    instanceName: spec.name,
  };
  const answer = complete(run.ports.model, request, {
    signal: scope.signal,
    onDelta,
    log(body) {
      run.log(body, spec.path, step);
    },
  });
  const response = withOwnNamesOf(instance, await scope.race(answer, cancelledResponse), step);
  if (response.ok) run.requests.noteAnswer(response.message, step);
  // A call is one call, whether it was answered, failed or was stopped, and however many requests it took.
  const usage = { ...response.usage, modelCalls: 1 };
  const costUsd = countCall(instance, model, usage);
  events.append({
    kind: 'model.ended',
    path: spec.path,
    step,
    message: response.ok ? response.message : undefined,
    error: response.ok ? undefined : response.error,
    received: response.ok ? undefined : response.received,
    usage,
    costUsd,
    firstTokenMs: response.ok ? response.firstTokenMs : undefined,
    requests: response.requests,
  });
  return response;
}

/** From here on a call has its tool's own name, whatever the model wrote. The log keeps what it wrote. */
function withOwnNamesOf({ run, spec, surface }: Instance, response: ModelResponse, step: StepKey): ModelResponse {
  if (!response.ok) return response;
  const { message, renamed } = withOwnNames(surface, response.message);
  for (const { from, to } of renamed) {
    run.log(
      { level: 'info', code: 'tool_name', message: `The model wrote '${from}' for the tool '${to}'.` },
      spec.path,
      step,
    );
  }
  return renamed.length === 0 ? response : { ...response, message };
}

export function cancelledResponse(): ModelResponse {
  return { ok: false, error: cancelled, usage: noUsage, requests: 0 };
}

/** The port must not throw. If it does, the error becomes a failed response. */
async function complete(port: ModelPort, request: ModelRequest, control: ModelControl): Promise<ModelResponse> {
  try {
    return await port.complete(request, control);
  } catch (error) {
    const message = `The model call failed: ${thrownMessage(error)}`;
    return { ok: false, error: { code: 'model_failed', message }, usage: noUsage, requests: 0 };
  }
}
