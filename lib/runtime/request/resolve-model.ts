import { err, ok, type Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import { canSay } from '@/lib/cards/dialects/find-dialect';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunError } from '@/lib/runtime/record/events';
import type { RunRequest } from './run-request';

/** The model name for answers from the scripts of callboard.yaml. */
export const scriptModel = 'script';

/** True if scripts answer in place of models in the whole run: on request, or because scripts exist and no model was requested. */
export function isScripted(parsed: ParsedFolder, request: Pick<RunRequest, 'model'>): boolean {
  if (request.model !== undefined) return request.model === scriptModel;
  return Object.keys(parsed.settings.scripts).length > 0;
}

export interface ResolvedModel {
  readonly model: string;
  /** Warnings about references that could not be resolved, so that a later candidate was used. */
  readonly warnings: readonly string[];
}

/** The models that a delegation brings: the model of the edge, and the caller's. */
export interface HandedModels {
  readonly edge: string | undefined;
  readonly caller: string;
}

/**
 * Returns the model of an agent. In this order, the first one that is set wins: the card's own, the delegation's, the
 * run's, the config's default (fast-agent's precedence), the caller's. `$system.default` on a card ranks below the run's
 * and above the config's default. `$namespace.key` is looked up in `model_references`.
 */
export function resolveModel(
  card: Card,
  parsed: ParsedFolder,
  request: Pick<RunRequest, 'model'>,
  handed?: HandedModels,
): Result<ResolvedModel, RunError> {
  if (isScripted(parsed, request)) return ok({ model: scriptModel, warnings: [] });
  const own = 'model' in card ? card.model?.trim() : undefined;
  const given = [handed?.edge?.trim(), request.model?.trim()];
  const ranked = own === '$system.default' ? [...given, own] : [own, ...given];
  const candidates = [...ranked, parsed.config.defaultModel, handed?.caller];
  const warnings: string[] = [];
  for (const candidate of candidates) {
    if (!candidate) continue;
    const found = followReference(candidate, parsed.config);
    if (found.ok) return ok({ model: found.value, warnings });
    warnings.push(`Model of agent '${card.name}': ${found.error}`);
  }
  const places = [
    ...(canSay(card.file, 'model') ? [`'model' in ${card.file}`] : []),
    "'default_model' in fast-agent.yaml",
  ];
  const hint = `Set ${places.join(', ')}, or choose a model for the run.`;
  const message =
    warnings.length > 0 ? `${warnings.join(' ')} ${hint}` : `Agent '${card.name}' names no model. ${hint}`;
  return err({ code: 'model_missing', message });
}

function followReference(model: string, config: FastAgentConfig): Result<string, string> {
  const seen = new Set<string>();
  let current = model;
  for (;;) {
    const reference = /^\$([^.\s]+)\.(\S+)$/.exec(current);
    if (!reference) return ok(current);
    if (seen.has(current)) return err(`the reference ${model} leads back to itself.`);
    seen.add(current);
    const [, namespace = '', key = ''] = reference;
    const keys = Object.hasOwn(config.modelReferences, namespace) ? config.modelReferences[namespace] : undefined;
    const next = keys && Object.hasOwn(keys, key) ? keys[key]?.trim() : undefined;
    if (!next) return err(`the reference ${current} is not in 'model_references'.`);
    current = next;
  }
}
