import { isAllowedSomewhere } from '@/app/allowed-somewhere';
import type { Actor } from '@/lib/base/actor';
import { decide } from '@/lib/base/rights';
import type { PlaceNeed } from '@/lib/client/app-places';
import { settingsPagesOf } from './settings-pages-of';

/** Returns what somebody meets of what places of the command palette need. */
export function metNeeds(actor: Actor | undefined): readonly PlaceNeed[] {
  const settings = settingsPagesOf(actor).map((id) => `settings ${id}` as const);
  if (actor === undefined) return settings;
  const { reach } = actor;
  const own: readonly (readonly [PlaceNeed, boolean])[] = [
    ['account', reach !== 'all' && reach.kind === 'person'],
    ['run.delete', isAllowedSomewhere(actor, 'run.delete')],
    ['project.create', decide(reach, 'project.create', null) === 'allowed'],
  ];
  return [...own.flatMap(([need, isMet]) => (isMet ? [need] : [])), ...settings];
}
