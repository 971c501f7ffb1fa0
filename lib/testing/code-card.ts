import type { AgentCard } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';

/**
 * Makes an agent with this front matter, in a folder with these files: `codeCard('function_tools: [a.ts:f]', {'a.ts':
 * '…'})`.
 */
export function codeCard(
  frontMatter: string,
  files: Readonly<Record<string, string>>,
): { readonly folder: Folder; readonly card: AgentCard } {
  const text = `---\ntype: agent\nname: coder\n${frontMatter}\n---\nUse your tools.\n`;
  const folder = folderOf({ 'coder.md': text, ...files });
  const card = readFolder(folder).cards.find((one) => one.name === 'coder');
  if (card?.type !== 'agent') throw new Error('The front matter made no agent.');
  return { folder, card };
}
