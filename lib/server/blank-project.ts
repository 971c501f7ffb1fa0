import { folderOf } from '@/lib/cards/files';
import { firstAgent } from '@/lib/cards/first-agent';
import type { Folder } from '@/lib/cards/folder';
import { firstModel } from '@/lib/cards/models/first-model';
import type { ProviderVariables } from '@/lib/cards/models/providers';

/**
 * The files of a new empty project: one agent, and its model as `default_model`, so that agents added later have it too.
 * Without a key of a provider the test model `passthrough` answers.
 */
export function blankProject(models: ProviderVariables): Folder {
  const model = firstModel(models)?.model ?? 'passthrough';
  return folderOf({
    [firstAgent.file]: `---\nname: ${firstAgent.name}\ndefault: true\n---\nYou are a helpful assistant.\n`,
    'fast-agent.yaml': `default_model: ${model}\n`,
  });
}
