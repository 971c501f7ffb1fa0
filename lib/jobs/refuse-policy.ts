import type { ProjectId } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';
import { folderBreaches } from '@/lib/cards/policy/folder-breaches';
import type { PolicyBreach, PolicyRule } from '@/lib/cards/policy/rule';
import { callBreaches } from '@/lib/runtime/policy-check/call-breaches';
import type { RunError } from '@/lib/runtime/record/events';
import type { ServerListing } from '@/lib/runtime/surface/surface-preview';
import type { Store } from '@/lib/store/database';
import { readListings } from '@/lib/store/known-servers';
import { readPolicy, type StoredRule } from '@/lib/store/policy';
import type { RunReading } from './run-context';

type Listings = Readonly<Record<string, ServerListing>>;

export interface Rules {
  readonly policy: readonly StoredRule[];
  /** What the servers of the project listed when they were last tested. It is read only if a rule asks about calls. */
  readonly listings: Listings;
}

export async function readRules(store: Pick<Store, 'pool'>, project: ProjectId): Promise<Rules> {
  const policy = await readPolicy(store, project);
  const isAsked = policy.some(({ level, demand }) => level === 'block' && demand.kind === 'hook');
  return { policy, listings: isAsked ? await readListings(store, project) : {} };
}

/**
 * Returns the reason why a folder must not run: it breaks a rule of the team. Every attempt asks, so a rule also holds for runs that were
 * queued or suspended before it was set. `listings` are the tools that servers listed when they were last tested. Of a tool of which it is
 * not known whether it only reads, the run finds that out before it calls it.
 */
export function refusePolicy(
  rules: readonly PolicyRule[],
  folder: Folder,
  { parsed, config }: Pick<RunReading, 'parsed' | 'config'>,
  listings: Listings,
): RunError | undefined {
  const blocking = rules.filter(({ level }) => level === 'block');
  const breaches: readonly PolicyBreach[] = [
    ...folderBreaches(blocking, folder, parsed, config),
    ...callBreaches(blocking, folder, parsed, { listings, unknown: 'is left to the call' }),
  ];
  const [first] = breaches;
  if (first === undefined) return undefined;
  const more = breaches.length > 1 ? ` So are others: ${breaches.length} places in all.` : '';
  return { code: 'policy', message: `${first.message}${more}` };
}
