import type { Card } from '@/lib/cards/card';
import { settingsName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { locateField } from '@/lib/cards/read/locate';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { type Path, parseYaml } from '@/lib/cards/yaml/yaml-source';
import type { ExportNote } from './export-report';

/**
 * These keys are not reported: those of the editor and the version of the format have no effect on runs, and each hook of
 * `hooks_off` is reported at its card.
 */
const withoutEffect = new Set(['version', 'canvas', 'example_message', 'hooks_off']);
/** Keys whose entries are reported one by one, with the depth of the entries. */
const depths: Readonly<Record<string, number>> = {
  limits: 2,
  delegation_defaults: 2,
  delegations: 4,
  recording: 2,
  approvals: 2,
};

/** Returns a note for each option of `callboard.yaml`. The file is left out, because fast-agent has no equivalents. */
export function leftOutSettings(folder: Folder, cards: readonly Card[]): readonly ExportNote[] {
  const file = folder.get(settingsName);
  if (file?.kind !== 'text') return [];
  const { value } = parseYaml({ text: file.text.replace(/^\uFEFF/, ''), offset: 0 });
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (withoutEffect.has(key) || (key === 'tool_naming' && inner === 'agent__')) return [];
    if (key === 'entry' && isDefaultAlone(cards, inner)) return [];
    return optionsIn(inner, [key], depths[key] ?? 1).map((path) => note(folder, path));
  });
}

/** True if `entry` names the card with `default: true`, with which fast-agent begins anyway. */
function isDefaultAlone(cards: readonly Card[], entry: unknown): boolean {
  const defaults = cards.filter((card) => card.isDefault);
  return defaults.length === 1 && defaults[0]?.name === entry;
}

function optionsIn(value: unknown, path: Path, depth: number): readonly Path[] {
  if (path.length >= depth || !isMapping(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => optionsIn(inner, [...path, key], depth));
}

function note(folder: Folder, path: Path): ExportNote {
  const line = locateField(folder, settingsName, path)?.line ?? 1;
  const more = advice[String(path[0])];
  const message = `'${path.join('.')}' is not exported: fast-agent has no such setting.${more === undefined ? '' : ` ${more}`}`;
  return { kind: 'lost', file: settingsName, line, message };
}

const advice: Readonly<Record<string, string>> = {
  entry: 'Write default: true in the card.',
  limits: 'For one agent write max_parallel, child_timeout_sec or request_params.max_iterations in its card.',
  run_hooks: 'A Python hook can be listed in tool_hooks of each card.',
  agent_hooks: 'A Python hook can be listed in tool_hooks of the card.',
  scripts: 'Give the agents a model.',
};
