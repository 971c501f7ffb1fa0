import type { Instance } from '@/lib/runtime/instance/instance';
import type { ModelPort, ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { countCall } from './budget';

/** What differs between the model calls of one instance. */
export type ModelQuestion = Omit<ModelRequest, 'runId' | 'path' | 'agentName' | 'instanceName'>;

type ModelControl = Parameters<ModelPort['complete']>[1];

export const cancelled: RunError = { code: 'cancelled', message: 'The model call was cancelled.' };

/** One model call of an instance, from its recorded start to its recorded end. Its usage is the instance's and the run's. */
export async function askModel(
  instance: Instance,
  question: ModelQuestion,
  onDelta: ModelControl['onDelta'],
): Promise<ModelResponse> {
  const { run, spec, scope } = instance;
  const { step, model, messages, tools } = question;
  const { events } = run.ports;
  // Known to the port, and on record beside what the card says.
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
  });
  // Written out: made by spreading it would be an object of another shape, several times the size.
  const request: ModelRequest = {
    turn: question.turn,
    step,
    model,
    instruction: question.instruction,
    messages,
    tools,
    requestParams: question.requestParams,
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
  const response = await scope.race(answer, cancelledResponse);
  const costUsd = countCall(instance, model, response.usage);
  events.append({
    kind: 'model.ended',
    path: spec.path,
    step,
    message: response.ok ? response.message : undefined,
    error: response.ok ? undefined : response.error,
    usage: response.usage,
    costUsd,
    firstTokenMs: response.ok ? response.firstTokenMs : undefined,
    requests: response.requests,
  });
  return response;
}

export function cancelledResponse(): ModelResponse {
  return { ok: false, error: cancelled, usage: noUsage, requests: 0 };
}

/** What the port throws against its contract is an answer too. */
async function complete(port: ModelPort, request: ModelRequest, control: ModelControl): Promise<ModelResponse> {
  try {
    return await port.complete(request, control);
  } catch (error) {
    const message = `The model call failed: ${thrownMessage(error)}`;
    return { ok: false, error: { code: 'model_failed', message }, usage: noUsage, requests: 0 };
  }
}
