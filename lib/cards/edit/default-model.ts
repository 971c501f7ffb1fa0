import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import { generalFile } from '@/lib/cards/config-files';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { FolderDraft } from './draft';

/** Sets `default_model` of the config, or removes it for `undefined`. Creates `fast-agent.yaml` if needed. */
export function setDefaultModel(
  folder: Folder,
  { config }: Pick<ParsedFolder, 'config'>,
  model: string | undefined,
): Result<ReadonlyMap<string, string | null>, Issue> {
  const draft = new FolderDraft(folder);
  const file = generalFile(config) ?? 'fast-agent.yaml';
  const path = ['default_model'];
  if (model !== undefined) draft.yaml(file, { op: 'set', path, value: model });
  else if (draft.read(file, path) !== undefined) draft.yaml(file, { op: 'remove', path });
  return draft.changes();
}
