import { folderOf } from '@/lib/cards/files';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';

/**
 * Reads a project of cards given by name, each as its front matter without the name. Every card gets the instruction
 * `You are <name>.`, and cards that name no model use `test-model`. `settings`: lines of callboard.yaml; `config`: more lines of fast-agent.yaml. Throws when the checker finds
 * an error, so that a test does not run a graph that nobody could start.
 */
export function projectOf(cards: Readonly<Record<string, string>>, settings = '', config = ''): ParsedFolder {
  const files = Object.entries(cards).map(([name, lines]) => [
    `agent-cards/${name}.md`,
    `---\nname: ${name}\n${lines}\n---\nYou are ${name}.\n`,
  ]);
  const parsed = readFolder(
    folderOf({
      ...Object.fromEntries(files),
      'fast-agent.yaml': `default_model: test-model\n${config}\n`,
      'callboard.yaml': `version: 1\n${settings}\n`,
    }),
  );
  const fault = parsed.issues.find(({ severity }) => severity === 'error');
  if (fault) throw new Error(`${fault.file}:${fault.line}: ${fault.message}`);
  return parsed;
}
