import { folderOf } from '@/lib/cards/files';

/** The files of a new empty project: one agent that answers without a provider. */
export const blankProject = folderOf({
  'agent-cards/assistant.md':
    '---\nname: assistant\ndefault: true\nmodel: passthrough\n---\nYou are a helpful assistant.\n',
});
