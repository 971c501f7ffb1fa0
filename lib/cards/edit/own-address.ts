import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import { generalFile } from '@/lib/cards/config-files';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { FolderDraft } from './draft';

/** An address of one's own for models, as it is written into the configuration. */
export interface WrittenAddress {
  /** The section of the provider, such as `generic`. */
  readonly section: string;
  readonly address: string;
  /** The name of the secret with the key; `undefined` for a server that needs none. The key itself is in no file. */
  readonly secret: string | undefined;
  /** The model that becomes the default of all cards; `undefined` changes none. */
  readonly model: string | undefined;
}

/** Writes an address of one's own into the section of its provider. Creates `fast-agent.yaml` if needed. */
export function setOwnAddress(
  folder: Folder,
  { config }: Pick<ParsedFolder, 'config'>,
  { section, address, secret, model }: WrittenAddress,
): Result<ReadonlyMap<string, string | null>, Issue> {
  const draft = new FolderDraft(folder);
  const file = generalFile(config) ?? 'fast-agent.yaml';
  const set = (path: readonly string[], value: string | undefined) => {
    if (value !== undefined) draft.yaml(file, { op: 'set', path, value });
    else if (draft.read(file, path) !== undefined) draft.yaml(file, { op: 'remove', path });
  };
  set([section, 'base_url'], address);
  set([section, 'api_key'], secret === undefined ? undefined : `\${${secret}}`);
  if (model !== undefined) set(['default_model'], model);
  return draft.changes();
}
