import type { Json } from '@/lib/base/json';
import { err, type Result } from '@/lib/base/result';
import { parseAnswer } from '@/lib/runtime/delegation/child-output';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { JsonQuestion } from '@/lib/runtime/model/ask';
import type { RunError } from '@/lib/runtime/record/events';

/**
 * Asks as `askForJson` does, but the model may call the tools of the instance before it answers: the model loop of agents, with
 * its limit of iterations, which also asks once more for an answer that does not fit. The calls are steps of the instance. Its
 * own conversation stays as it is.
 */
export async function askWithTools(
  instance: Instance,
  { instruction, schema, narrower, messages, name }: JsonQuestion,
  loop: (instance: Instance) => Promise<Result<string, RunError>>,
): Promise<Result<Json, RunError>> {
  const { spec, plan } = instance;
  const asking: Instance = {
    ...instance,
    // Results of tools are for the model that decides, also where the card's answers are results of tools.
    spec: { ...spec, outputSchema: narrower ?? schema, resultMode: 'postprocess' },
    plan: {
      ...plan,
      instruction: async () => (typeof instruction === 'string' ? instruction : ((await instruction()) ?? '')),
    },
    messages: [...messages],
  };
  const said = await loop(asking);
  // Numbers are parts of step keys, so the instance goes on where the loop stopped.
  instance.modelCalls = asking.modelCalls;
  instance.toolCalls = asking.toolCalls;
  instance.phaseHooks = asking.phaseHooks;
  instance.spent = asking.spent;
  if (!said.ok) return said;
  const answer = parseAnswer(schema, said.value);
  if (answer.ok) return answer;
  const message = `The answer (${name}) of model '${instance.model}' to agent '${spec.card.name}' is not valid: ${answer.error}. Choose a model that follows JSON schemas.`;
  return err({ code: 'answer_invalid', message });
}
