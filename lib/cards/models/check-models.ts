import type { Issue } from '@/lib/base/issue';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { parseModel, resolveModelReference } from '@/lib/cards/model-string';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import { withSecrets } from '@/lib/cards/secrets';
import { lineFinder } from '@/lib/cards/trust/line-finder';
import { type UsedModel, usedModels } from '@/lib/cards/trust/list-models';
import { endpointOf, type ModelEnv } from './endpoint';
import type { ProviderSections } from './provider-settings';

/** What decides which models of a folder are served, apart from the installation. Plain data. */
export interface FolderModels {
  readonly models: readonly UsedModel[];
  /** With what the folder's secrets file adds: for this machine's own use, never to be shown. */
  readonly providers: ProviderSections;
}

/** The models that runs of a folder ask for; none where its scripts answer in their place. */
export function modelsOf(folder: Folder, parsed: ParsedFolder): FolderModels {
  const { config } = withSecrets(parsed, folder);
  if (Object.keys(parsed.settings.scripts).length > 0) return { models: [], providers: {} };
  return {
    models: usedModels(parsed, config, lineFinder(folder)).filter(isAsked(parsed, config)),
    providers: config.providers,
  };
}

/** The config's default is asked only for cards without a model of their own. */
function isAsked({ cards }: ParsedFolder, { modelReferences }: FastAgentConfig): (use: UsedModel) => boolean {
  const needsDefault = cards.some((card) => {
    const own = 'model' in card ? card.model?.trim() : undefined;
    return own === undefined || !resolveModelReference(own, modelReferences).ok;
  });
  return ({ usedBy }) => needsDefault || usedBy !== 'default_model';
}

/** An error for each model that this installation would refuse to run, by the same decision as a run's. */
export function unservedModels({ models, providers }: FolderModels, here: ModelEnv): Issue[] {
  return models.flatMap(({ model, file, line, agent }) => {
    // Faults of their own: `model-invalid`, `model-reference`.
    if (/^\$(?!\{)/.test(model) || !parseModel(model).ok) return [];
    // Without the values nobody knows which model it is.
    if (model.includes('${') && !here.hasValues) return [];
    const endpoint = endpointOf(model, providers, here);
    return endpoint.ok ? [] : [makeIssue('model-not-served', { file, line, column: 1, agent }, endpoint.error)];
  });
}
