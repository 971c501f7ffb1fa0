import type { FastAgentConfig } from '@/lib/cards/config';
import { generalFile } from '@/lib/cards/config-files';
import { parseModel, resolveModelReference } from '@/lib/cards/models/model-string';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { LineFinder } from '@/lib/cards/read/line-finder';
import type { ModelUse } from './capability';

/** Returns the models that cards, the config and callboard.yaml name, except models without a provider. */
export function listModels(parsed: ParsedFolder, config: FastAgentConfig, lines: LineFinder): ModelUse[] {
  return usedModels(parsed, config, lines).map(({ model, usedBy, file, line }) => ({ model, usedBy, file, line }));
}

export interface UsedModel extends ModelUse {
  /** The agent whose card names the model. */
  readonly agent?: string | undefined;
  /** The delegation whose options name the model. */
  readonly delegation?: { readonly parent: string; readonly child: string };
}

/** Returns the same models, each with its agent. */
export function usedModels(parsed: ParsedFolder, config: FastAgentConfig, lines: LineFinder): UsedModel[] {
  const named: (Omit<UsedModel, 'line'> & { readonly path: readonly string[] })[] = [];
  const { settingsFile } = parsed;
  const file = generalFile(config);
  if (config.defaultModel !== undefined && file !== undefined) {
    named.push({ model: config.defaultModel, usedBy: 'default_model', file, path: ['default_model'] });
  }
  for (const card of parsed.cards) {
    const usedBy = `agent '${card.name}'`;
    const model = 'model' in card ? card.model : undefined;
    if (model !== undefined) named.push({ model, usedBy, file: card.file, path: ['model'], agent: card.name });
  }
  for (const [parent, children] of Object.entries(parsed.settings.delegations)) {
    for (const [child, { model }] of Object.entries(children)) {
      if (model === undefined || settingsFile === undefined) continue;
      const usedBy = `delegation of '${parent}' to '${child}'`;
      const path = ['delegations', parent, child, 'model'];
      named.push({ model, usedBy, file: settingsFile, path, delegation: { parent, child } });
    }
  }
  return named.flatMap(({ path, ...use }) => {
    const model = resolveModelReference(use.model, config.modelReferences);
    const text = model.ok ? model.value : use.model;
    const spec = parseModel(text);
    if (spec.ok && spec.value.provider === 'fast-agent') return [];
    return [{ ...use, model: text, line: lines.ofKey(use.file, path) ?? 1 }];
  });
}
