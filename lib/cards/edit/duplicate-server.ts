import type { Issue } from '@/lib/base/issue';
import { isJson } from '@/lib/base/json';
import type { Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { FolderDraft } from './draft';

/**
 * Adds a server with the settings of another one, also those of the secrets file. No card uses it yet. Returns the new texts
 * by path. The error is an Issue: the server is not in the config, or the name is taken.
 */
export function duplicateServer(
  folder: Folder,
  { config, roles }: ParsedFolder,
  from: string,
  to: string,
): Result<ReadonlyMap<string, string | null>, Issue> {
  const draft = new FolderDraft(folder);
  const file = config.file ?? 'fast-agent.yaml';
  if (!Object.hasOwn(config.servers, from)) {
    draft.fail(
      'unknown-server',
      file,
      `'${from}' is no server of ${file}, so it cannot be copied. Configure it first.`,
    );
  } else if (Object.hasOwn(config.servers, to)) {
    draft.fail('name-taken', file, `'${to}' is another MCP server in ${file}. Choose another name.`);
  }
  const secrets = [...roles].flatMap(([path, role]) => (role === 'secrets' ? [path] : []));
  for (const path of [file, ...secrets]) {
    const entry = draft.read(path, ['mcp', 'servers', from]);
    if (isJson(entry)) draft.yaml(path, { op: 'set', path: ['mcp', 'servers', to], value: entry });
  }
  return draft.changes();
}
