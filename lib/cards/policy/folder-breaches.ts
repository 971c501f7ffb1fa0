import { escapeHidden } from '@/lib/base/escape-hidden';
import { fitsGlob } from '@/lib/base/glob';
import { checkHidden } from '@/lib/cards/check/check-hidden';
import { checkLookAlikes } from '@/lib/cards/check/check-look-alikes';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { canonicalModel } from '@/lib/cards/models/name-model';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { lineFinder } from '@/lib/cards/read/line-finder';
import { usedModels } from '@/lib/cards/trust/list-models';
import { pythonUses } from '@/lib/cards/trust/python-uses';
import { foundServers } from '@/lib/cards/trust/used-servers';
import { breachSentence, type PolicyBreach, type PolicyDemand, type PolicyRule } from './rule';

/** What a rule may say of a folder before anything runs. */
interface Fault {
  readonly what: string;
  readonly file: string;
  readonly line: number;
}

/**
 * Returns what in a folder breaks rules about servers, models, shells, Python and hidden characters. Nothing is started. Rules about calls need the tools of the
 * agents (lib/runtime/policy-check). `config` has the servers of the secrets file too.
 */
export function folderBreaches(
  rules: readonly PolicyRule[],
  folder: Folder,
  parsed: ParsedFolder,
  config: FastAgentConfig,
): readonly PolicyBreach[] {
  if (rules.length === 0) return [];
  const faultsOf = faultFinder(folder, parsed, config);
  return rules.flatMap((rule) =>
    faultsOf(rule.demand).map(({ what, file, line }) => ({ rule, message: breachSentence(rule, what), file, line })),
  );
}

function faultFinder(
  folder: Folder,
  parsed: ParsedFolder,
  config: FastAgentConfig,
): (demand: PolicyDemand) => readonly Fault[] {
  const lines = lineFinder(folder);
  return (demand) => {
    switch (demand.kind) {
      case 'servers':
        return [
          ...foundServers(parsed, config, lines).flatMap(({ server, file, line }) => {
            const target =
              server.transport === 'stdio'
                ? [server.command ?? '', ...server.args].join(' ')
                : hostOf(server.url ?? '');
            return fits(demand.allow, target)
              ? []
              : [{ what: `the server '${server.name}' (${target}) is not on its list`, file, line }];
          }),
          ...parsed.cards.flatMap((card) => {
            if (card.type !== 'a2a' || fits(demand.allow, hostOf(card.url))) return [];
            const what = `the remote agent '${card.name}' (${hostOf(card.url)}) is not on its list`;
            return [{ what, file: card.file, line: lines.ofKey(card.file, ['url']) ?? 1 }];
          }),
        ];
      case 'models':
        return usedModels(parsed, config, lines).flatMap(({ model, usedBy, file, line }) =>
          isModelAllowed(demand.allow, model)
            ? []
            : [{ what: `${usedBy} uses the model '${model}', which is not on its list`, file, line }],
        );
      case 'no_shell':
        return parsed.cards.flatMap((card) =>
          card.type === 'agent' && card.shell
            ? [
                {
                  what: `agent '${card.name}' has a shell`,
                  file: card.file,
                  line: lines.ofKey(card.file, ['shell']) ?? 1,
                },
              ]
            : [],
        );
      case 'no_python':
        return [...new Set(pythonUses(parsed).map(({ ref }) => ref.file))].map((file) => ({
          what: `the project has tools or hooks in Python (${file})`,
          file,
          line: 1,
        }));
      case 'no_hidden_characters':
        // Not from `parsed.issues`, which has only the first of each file.
        return [...checkHidden(folder, parsed), ...checkLookAlikes(folder, parsed)].map(({ message, file, line }) => ({
          what: `in '${escapeHidden(file)}': ${message.replace(/\.$/, '')}`,
          file,
          line,
        }));
      case 'hook':
      case 'approval':
        return [];
    }
  };
}

/** True if one of the patterns takes the model, by its name with the provider and without its settings. */
export function isModelAllowed(allow: readonly string[], model: string): boolean {
  const name = canonicalModel(model).replace(/\?.*$/s, '');
  return fits(allow, name);
}

function fits(patterns: readonly string[], name: string): boolean {
  return patterns.some((one) => fitsGlob(one, name));
}

/** Returns the host with its port, or the whole text if it is no address, which no pattern of hosts then takes by chance. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
