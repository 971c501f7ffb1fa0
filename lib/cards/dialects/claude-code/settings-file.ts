import { isRecord, parseJson } from '@/lib/base/json';
import type { Folder } from '@/lib/cards/folder';
import { namesIn, toolNames } from './tool-names';

/** The settings of a project that everyone shares. `settings.local.json` is a person's own and is not read. */
export const settingsFile = '.claude/settings.json';

/** Returns the settings of the project, as written. Text that is not JSON has none. */
export function projectSettings(folder: Folder): Readonly<Record<string, unknown>> {
  const file = folder.get(settingsFile);
  const value = file?.kind === 'text' ? parseJson(file.text) : undefined;
  return isRecord(value) ? value : {};
}

/**
 * Returns the agents that the main agent may not call: `Agent(name)` in `permissions.deny`, or `Task(name)`, its former name.
 * Source: code.claude.com/docs/en/sub-agents, *Disable specific subagents*.
 */
export function deniedAgents(folder: Folder): ReadonlySet<string> {
  const { permissions } = projectSettings(folder);
  const denied = toolNames(isRecord(permissions) ? permissions.deny : undefined);
  const calls = denied.filter(({ base }) => base === 'Agent' || base === 'Task');
  return new Set(calls.flatMap(({ text }) => namesIn(/\(([^)]*)\)/.exec(text)?.[1])));
}
