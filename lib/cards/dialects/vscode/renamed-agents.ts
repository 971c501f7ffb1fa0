import { isRecord } from '@/lib/base/json';
import { normaliseName } from '@/lib/cards/agent-name';
import { coverLines } from '@/lib/cards/dialects/form/quoted-lines';
import type { Folder } from '@/lib/cards/folder';
import { splitSource } from '@/lib/cards/source';
import { editYamlText } from '@/lib/cards/yaml/edit-yaml';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';

/**
 * Returns the texts that name agents with their new names: `agents` and `handoffs` of agents, and `agent` of prompts. `names` has
 * the new names by the old ones. Only the names change.
 */
export function withRenamedAgents(folder: Folder, names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [path, file] of folder) {
    if (file.kind !== 'text' || !/\.(?:agent|chatmode|prompt)\.md$|^\.github\/agents\/.*\.md$/.test(path)) continue;
    const next = renamedIn(path, file.text, names);
    if (next !== file.text) texts.set(path, next);
  }
  return texts;
}

function renamedIn(path: string, text: string, names: ReadonlyMap<string, string>): string {
  const { yaml } = splitSource(path, text);
  if (yaml === undefined) return text;
  let front = yaml.text;
  for (const edit of editsOf(coverLines(front, yaml.offset).yaml.value, names)) {
    const covered = coverLines(front, yaml.offset);
    const edited = editYamlText({ text: covered.text, whole: text, offset: yaml.offset, file: path, order: [] }, edit);
    if (edited.ok) front = covered.uncover(edited.value);
  }
  return text.slice(0, yaml.offset) + front + text.slice(yaml.offset + yaml.text.length);
}

function editsOf(fields: unknown, names: ReadonlyMap<string, string>): readonly YamlEdit[] {
  if (!isRecord(fields)) return [];
  const { agents, handoffs, agent } = fields;
  const set = (value: unknown, path: YamlEdit['path']): readonly YamlEdit[] => {
    const to = typeof value === 'string' ? names.get(normaliseName(value)) : undefined;
    return to === undefined ? [] : [{ op: 'set', path, value: to }];
  };
  return [
    ...listOf(agents).flatMap((one, index) => set(one, ['agents', index])),
    ...set(agents, ['agents']),
    ...listOf(handoffs).flatMap((one, index) => (isRecord(one) ? set(one.agent, ['handoffs', index, 'agent']) : [])),
    ...set(agent, ['agent']),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
