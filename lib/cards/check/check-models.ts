import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig, ProviderSections } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { endpointOf, type ModelEnv } from '@/lib/cards/models/endpoint';
import { parseModel, resolveModelReference } from '@/lib/cards/models/model-string';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { lineFinder } from '@/lib/cards/read/line-finder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { type UsedModel, usedModels } from '@/lib/cards/trust/list-models';
import { reachedBy } from './reached-by';

/** The part of a folder that decides whether its models can be called. It is plain data. */
export interface FolderModels {
  readonly models: readonly UsedModel[];
  /** The sections include the folder's secrets file, so they must not be shown. */
  readonly providers: ProviderSections;
}

/** Returns the models that runs of a folder call. There are none when scripts answer instead. */
export function modelsOf(folder: Folder, parsed: ParsedFolder): FolderModels {
  const { config } = withSecrets(parsed, folder);
  if (Object.keys(parsed.settings.scripts).length > 0) return { models: [], providers: {} };
  return {
    models: usedModels(parsed, config, lineFinder(folder)).filter(isAsked(parsed, config)),
    providers: config.providers,
  };
}

/**
 * True if a run calls the model. The default model is called if a card names no model. The model of a delegation is called if the
 * parent can call the child, and the child asks a model.
 */
function isAsked({ cards, settings }: ParsedFolder, { modelReferences }: FastAgentConfig): (use: UsedModel) => boolean {
  const needsDefault = cards.some((card) => {
    const own = 'model' in card ? card.model?.trim() : undefined;
    return own === undefined || !resolveModelReference(own, modelReferences).ok;
  });
  const byName = new Map(cards.map((card) => [card.name, card]));
  const isCalled = (parent: Card | undefined, child: Card | undefined) =>
    parent !== undefined &&
    child !== undefined &&
    child.type !== 'a2a' &&
    reachedBy(settings, parent, byName.keys()).has(child.name);
  return ({ usedBy, delegation }) => {
    if (delegation !== undefined) return isCalled(byName.get(delegation.parent), byName.get(delegation.child));
    return needsDefault || usedBy !== 'default_model';
  };
}

/** Returns an error for each model that this installation cannot call, by the same rules as in a run. */
export function unservedModels({ models, providers }: FolderModels, here: ModelEnv): Issue[] {
  return models.flatMap(({ model, file, line, agent }) => {
    // Such a model has its own issue: `model-invalid` or `model-reference`.
    if (/^\$(?!\{)/.test(model) || !parseModel(model).ok) return [];
    // The model is unknown without the values of the variables.
    if (model.includes('${') && !here.hasValues) return [];
    const endpoint = endpointOf(model, providers, here);
    return endpoint.ok ? [] : [makeIssue('model-not-served', { file, line, column: 1, agent }, endpoint.error)];
  });
}
