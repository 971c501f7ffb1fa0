import type { RunError } from '@/lib/runtime/record/events';

/**
 * Returns the text of a child's error for its parent's model. If only a person can solve the problem (a key, a setting, a
 * file), the model gets only the part it can act on. The recorded end of the instance has the whole error.
 */
export function toldToModel(agent: string, error: RunError): string {
  const told = ownWords.get(error.code);
  return told === undefined ? error.message : `Agent '${agent}' ${told}`;
}

const noModel = 'cannot answer: its model is not available.';

const ownWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    model_missing: noModel,
    model_not_served: noModel,
    model_auth: noModel,
    model_not_found: noModel,
    model_unreachable: noModel,
    model_bad_response: noModel,
    script_missing: noModel,
    script_exhausted: noModel,
    model_context_overflow: "cannot answer: what it was given does not fit its model's context. Give it less.",
    answer_invalid: 'cannot answer: its model did not answer in the form that was asked for.',
    answer_cut: 'cannot answer: what its model said was cut. Give it a smaller task.',
    answer_withheld: 'cannot answer: the provider of its model withheld the answer.',
    hooks_unavailable: 'cannot run here.',
    max_iterations: 'made too many model calls without finishing. Give it a smaller task.',
  }),
);
