import type { Folder } from '@/lib/cards/folder';
import { splitSource } from '@/lib/cards/source';
import { settingsFile } from './settings-file';

/**
 * Returns the texts that name agents in `Agent(name)` or `Task(name)`, with their new names: the settings, and the lists of tools
 * of agents. `names` has the new names by the old ones. Only the names change.
 */
export function withRenamedAgents(folder: Folder, names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [path, file] of folder) {
    if (file.kind !== 'text') continue;
    const next =
      path === settingsFile
        ? file.text.replace(/"[^"\\\n]*"/g, (text) => renamedIn(text, names))
        : path.startsWith('.claude/agents/') && path.endsWith('.md')
          ? inToolLists(path, file.text, names)
          : file.text;
    if (next !== file.text) texts.set(path, next);
  }
  return texts;
}

/** A field of tools with the lines of its list. */
const toolField = /^(?:tools|disallowedTools)[ \t]*:.*(?:\r?\n[ \t-].*)*/gm;

function inToolLists(path: string, text: string, names: ReadonlyMap<string, string>): string {
  const { yaml } = splitSource(path, text);
  if (yaml === undefined) return text;
  const next = yaml.text.replace(toolField, (field) => renamedIn(field, names));
  return text.slice(0, yaml.offset) + next + text.slice(yaml.offset + yaml.text.length);
}

function renamedIn(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\b(Agent|Task)\(([^()]*)\)/g, (_, tool: string, list: string) => {
    const renamed = list.replace(/[^,\s](?:[^,]*[^,\s])?/g, (name) => names.get(name.replaceAll(' ', '_')) ?? name);
    return `${tool}(${renamed})`;
  });
}
