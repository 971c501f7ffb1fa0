import { allProviders, type ProviderVariables } from './providers';

export interface FirstModel {
  /** As it is written in `default_model`, such as `openai.gpt-5-mini`. */
  readonly model: string;
  /** The name of its provider for people. */
  readonly provider: string;
}

/**
 * Returns the model with which a blank project begins: an inexpensive one of the first provider in the table that has a key
 * here. Returns `undefined` without a key. An address alone does not count, because the models of its server are not known.
 */
export function firstModel(variables: ProviderVariables): FirstModel | undefined {
  for (const { name, title, firstModel: model, keys } of allProviders()) {
    if (model !== undefined && keys.some((key) => variables[key]))
      return { model: `${name}.${model}`, provider: title };
  }
  return undefined;
}
