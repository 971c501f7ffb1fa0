import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { joinPath } from '@/lib/cards/references';
import { parseTarget } from '@/lib/cards/target';
import { type Launch, launchReader } from '@/lib/cards/trust/loaded-files';
import { codeRefsOf } from './code-refs';

export function filesBelow(folder: Folder, directory: string): string[] {
  return [...folder.keys()].filter((path) => path.startsWith(directory));
}

/** Files that the commands of servers name, or may load because they name one, each with the server. Packages of a registry are not files. */
export function launchedFiles(folder: Folder, parsed: ParsedFolder): [string, string][] {
  const launches = launchReader(folder, parsed);
  const own = new Set(codeRefsOf(parsed).map(({ code }) => code.file));
  return launchesOf(parsed).flatMap(([name, launch]): [string, string][] => {
    const { files, reachesAll } = launches.filesOf(launch);
    const more = reachesAll ? launches.runnable.filter((path) => !own.has(path)) : [];
    return [...new Set([...files, ...more])].map((path) => [path, name]);
  });
}

/** Returns the commands of the config and of the servers that cards connect, each with the name of its server. */
function launchesOf({ config, cards }: ParsedFolder): [server: string, launch: Launch][] {
  const connected = cards.flatMap((card) => (card.type === 'agent' ? card.mcpConnect : []));
  return [
    ...Object.values(config.servers).flatMap(({ name, transport, command = '', args, env, cwd }): [string, Launch][] =>
      transport === 'stdio' ? [[name, { words: [command, ...args], values: Object.values(env), cwd }]] : [],
    ),
    ...connected.flatMap(({ name, target }): [string, Launch][] => {
      const launch = target === undefined ? undefined : parseTarget(target);
      if (launch?.ok !== true || launch.value.transport !== 'stdio') return [];
      return [[name, { words: [launch.value.command, ...launch.value.args], values: [], cwd: undefined }]];
    }),
  ];
}

export function messagePath(folder: Folder, card: string, written: string): string {
  return folder.has(written) ? written : (joinPath(card, written) ?? written);
}
