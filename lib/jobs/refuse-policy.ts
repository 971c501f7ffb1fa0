import type { Folder } from '@/lib/cards/folder';
import { folderBreaches } from '@/lib/cards/policy/folder-breaches';
import type { PolicyBreach, PolicyRule } from '@/lib/cards/policy/rule';
import { callBreaches } from '@/lib/runtime/policy-check/call-breaches';
import type { RunError } from '@/lib/runtime/record/events';
import type { RunReading } from './run-context';

/**
 * Returns the reason why a folder must not run: it breaks a rule of the team. Every attempt asks, so a rule also holds for runs that were
 * queued or suspended before it was set.
 */
export function refusePolicy(
  rules: readonly PolicyRule[],
  folder: Folder,
  { parsed, config }: Pick<RunReading, 'parsed' | 'config'>,
): RunError | undefined {
  const blocking = rules.filter(({ level }) => level === 'block');
  const breaches: readonly PolicyBreach[] = [
    ...folderBreaches(blocking, folder, parsed, config),
    ...callBreaches(blocking, folder, parsed),
  ];
  const [first] = breaches;
  if (first === undefined) return undefined;
  const more = breaches.length > 1 ? ` So are others: ${breaches.length} places in all.` : '';
  return { code: 'policy', message: `${first.message}${more}` };
}
