import { isIgnoredFolder } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Place } from '@/lib/cards/read/file-report';
import { lineFinder } from '@/lib/cards/read/line-finder';

/** A name that people decide by, and where it is given. */
export interface GivenName {
  readonly what: 'agent' | 'server' | 'function tool' | 'file';
  readonly name: string;
  /** Finds the place, which may parse its file. */
  readonly place: () => Place;
  /** The file of a function, if the folder has it, and the agent that it is a tool of. */
  readonly code?: { readonly file: string; readonly agent: string };
}

/** Returns the names of agents, servers, function tools and files, as programs read them. Installed packages are left out. */
export function namesIn(folder: Folder, { cards, config }: Pick<ParsedFolder, 'cards' | 'config'>): GivenName[] {
  const lines = lineFinder(folder);
  const at = (file: string, path: readonly (string | number)[], agent?: string) => (): Place => ({
    ...{ file, line: lines.ofKey(file, path) ?? 1, column: 1 },
    agent,
  });
  const { file: configFile = '' } = config;
  return [
    ...[...folder.keys()].flatMap((path): GivenName[] =>
      isIgnoredFolder(path) ? [] : [{ what: 'file', name: path, place: () => ({ file: path, line: 1, column: 1 }) }],
    ),
    ...Object.keys(config.servers).map(
      (name): GivenName => ({ what: 'server', name, place: at(configFile, ['mcp', 'servers', name]) }),
    ),
    ...cards.flatMap((card): GivenName[] => {
      const { file, name } = card;
      const agent: GivenName = { what: 'agent', name, place: at(file, ['name'], name) };
      if (card.type !== 'agent') return [agent];
      const functions = card.functionTools.map((tool, index): GivenName => {
        const place = at(file, ['function_tools', index], name);
        const code = folder.has(tool.file) ? { code: { file: tool.file, agent: name } } : {};
        return { what: 'function tool', name: tool.functionName, place, ...code };
      });
      const servers = card.mcpConnect.map(
        (server): GivenName => ({ what: 'server', name: server.name, place: at(file, ['mcp_connect'], name) }),
      );
      return [agent, ...functions, ...servers];
    }),
  ];
}
