import { isModelAllowed } from '@/lib/cards/policy/folder-breaches';
import { breachSentence, type PolicyRule } from '@/lib/cards/policy/rule';
import type { ModelPort } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { scriptModel } from '@/lib/runtime/request/resolve-model';

/**
 * Returns a port that calls only the models that the rules of the team allow. It is the one way to a model, so that also a model that a
 * request, a hook, a created agent or a server names is looked at. Scripts call nobody and are always allowed.
 */
export function modelsWithin(models: ModelPort, rules: readonly PolicyRule[]): ModelPort {
  const limiting = rules.filter(({ level, demand }) => level === 'block' && demand.kind === 'models');
  if (limiting.length === 0) return models;
  const refusalOf = (model: string): RunError | undefined => {
    if (model === scriptModel) return undefined;
    const broken = limiting.find(({ demand }) => demand.kind === 'models' && !isModelAllowed(demand.allow, model));
    if (broken === undefined) return undefined;
    return { code: 'policy', message: breachSentence(broken, `the model '${model}' is not on its list`) };
  };
  return {
    complete(request, control) {
      const error = refusalOf(request.model);
      if (error === undefined) return models.complete(request, control);
      return Promise.resolve({ ok: false, error, usage: noUsage, requests: 0 });
    },
    ...(models.describe && { describe: (model: string) => describe(models, model) }),
    problemOf: (model) => refusalOf(model) ?? models.problemOf?.(model),
  };
}

function describe(models: ModelPort, model: string) {
  return models.describe?.(model) ?? { provider: 'callboard', name: model };
}
