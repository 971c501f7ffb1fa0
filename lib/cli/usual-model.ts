import type { FolderModels } from '@/lib/cards/check/check-models';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/**
 * fast-agent's variable for the model of cards without one, in a folder without `default_model`. It is used on the command
 * line only, because a run of the app must not depend on the worker that continues it.
 */
export const usualModelVariable = 'FAST_AGENT_MODEL';

export function withUsualModel(parsed: ParsedFolder, variables: Variables): ParsedFolder {
  const model = variables[usualModelVariable]?.trim();
  if (!model || parsed.config.defaultModel !== undefined) return parsed;
  return { ...parsed, config: { ...parsed.config, defaultModel: model } };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Adds the model of the variable to the models that are checked. */
export function withUsualUse(found: FolderModels, parsed: ParsedFolder, variables: Variables): FolderModels {
  const { defaultModel } = withUsualModel(parsed, variables).config;
  const card = parsed.cards.find((one) => one.type === 'agent' && one.model === undefined);
  const isScripted = Object.keys(parsed.settings.scripts).length > 0;
  const isAsked = defaultModel !== parsed.config.defaultModel && !defaultModel?.startsWith('$');
  if (defaultModel === undefined || !card || isScripted || !isAsked) return found;
  const use = { model: defaultModel, usedBy: usualModelVariable, file: card.file, line: 1 };
  return { ...found, models: [...found.models, use] };
}
