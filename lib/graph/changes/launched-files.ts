import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { joinPath } from '@/lib/cards/references';
import { launchReader } from '@/lib/cards/trust/loaded-files';
import { codeRefsOf } from './code-refs';

export function filesBelow(folder: Folder, directory: string): string[] {
  return [...folder.keys()].filter((path) => path.startsWith(directory));
}

/** Files that the commands of servers name, or may load because they name one, each with the server. Packages of a registry are not files. */
export function launchedFiles(folder: Folder, parsed: ParsedFolder): [string, string][] {
  const launches = launchReader(folder, parsed);
  const own = new Set(codeRefsOf(parsed).map(({ code }) => code.file));
  return Object.values(parsed.config.servers).flatMap((server): [string, string][] => {
    if (server.transport !== 'stdio') return [];
    const { command = '', args, env, cwd } = server;
    const { files, reachesAll } = launches.filesOf({ words: [command, ...args], values: Object.values(env), cwd });
    const more = reachesAll ? launches.runnable.filter((path) => !own.has(path)) : [];
    return [...new Set([...files, ...more])].map((path) => [path, server.name]);
  });
}

export function messagePath(folder: Folder, card: string, written: string): string {
  return folder.has(written) ? written : (joinPath(card, written) ?? written);
}
