import { isAllowedSomewhere } from '@/app/allowed-somewhere';
import type { Actor } from '@/lib/base/actor';
import { type Action, decide } from '@/lib/base/rights';
import { type SettingsPageId, settingsPageIds } from '@/lib/client/settings-pages';

/** What somebody must be allowed to do somewhere to see a page. Pages that are not here are for everybody. */
const needs: Partial<Record<SettingsPageId, Action>> = {
  secrets: 'secrets.set',
  servers: 'run.start',
  limits: 'settings.change',
  notifications: 'settings.change',
  retention: 'settings.change',
  audit: 'audit.read',
};
const ofAdministrators: readonly SettingsPageId[] = ['people', 'commands', 'environment'];

/** Returns the pages of Settings that somebody may open. Without an actor those that everybody may open. */
export function settingsPagesOf(actor: Actor | undefined): readonly SettingsPageId[] {
  return settingsPageIds.filter((id) => {
    if (ofAdministrators.includes(id)) {
      // Without accounts there are no people to list.
      if (actor === undefined || (id === 'people' && actor.reach === 'all')) return false;
      return decide(actor.reach, 'installation.read', null) === 'allowed';
    }
    const needed = needs[id];
    return needed === undefined || (actor !== undefined && isAllowedSomewhere(actor, needed));
  });
}
