import { nearName } from '@/lib/base/near-name';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { settingsWords } from './settings-words';

/** Returns the next step for a key of callboard.yaml that does not exist. Names in the style of other products are understood. */
export function keyAdvice(path: Path): string {
  const key = String(path.at(-1));
  const names = keysBelow(path.slice(0, -1));
  const snake = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const meant = names.includes(snake) ? snake : nearName(key, names);
  return meant === undefined ? 'Remove it.' : `Did you mean '${meant}'?`;
}

function keysBelow(path: Path): readonly string[] {
  return Object.keys(settingsWords).flatMap((known) => {
    const parts = known.split('.');
    const last = parts.pop();
    const fits = parts.length === path.length && parts.every((part, at) => part === '*' || part === String(path[at]));
    return fits && last !== undefined && last !== '*' ? [last] : [];
  });
}
