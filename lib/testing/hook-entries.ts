import { type HookEntry, hookSettings } from '@/lib/cards/hook-settings';

/** Parses a chain as `callboard.yaml` has it. Throws when it does not match the schema. */
export function hookEntries(entries: readonly unknown[]): HookEntry[] {
  return hookSettings.run_hooks.parse(entries);
}
