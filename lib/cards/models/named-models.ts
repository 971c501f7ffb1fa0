import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/** Models that the files of a project name. */
export interface NamedModels {
  /** As cards, delegations and the configuration write them. */
  readonly models: readonly (string | undefined)[];
  /** What references such as `$fast.small` stand for, by space and name. */
  readonly references: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** True if a script answers in place of models. */
  readonly hasScript: boolean;
}

export function modelsNamedIn({
  cards,
  config,
  settings,
}: Pick<ParsedFolder, 'cards' | 'config' | 'settings'>): NamedModels {
  const ofDelegations = Object.values(settings.delegations).flatMap((children) =>
    Object.values(children).map(({ model }) => model),
  );
  return {
    models: [config.defaultModel, ...cards.map((card) => ('model' in card ? card.model : undefined)), ...ofDelegations],
    references: config.modelReferences,
    hasScript: Object.keys(settings.scripts).length > 0,
  };
}
