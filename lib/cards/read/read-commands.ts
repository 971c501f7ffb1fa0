import type { Json } from '@/lib/base/json';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { CardContext } from './card-context';
import { describeValue, toJson } from './describe-value';
import { readMapping } from './fields';

/** Reads `commands`: `{description, handler, …}` by name. Names become lower-case, without a leading slash. */
export function readCommands(card: CardContext): Record<string, Json> {
  const result: Record<string, Json> = {};
  for (const [key, command] of Object.entries(readMapping(card, 'commands')?.value ?? {})) {
    const name = key.trim().replace(/^\//, '').toLowerCase();
    const path = ['commands', key];
    if (Object.hasOwn(result, name)) {
      card.report.reportKey('command-invalid', path, `Command '${name}' is given twice. Rename one of them.`);
      continue;
    }
    if (!isMapping(command)) {
      card.report.report(
        'command-invalid',
        path,
        `Command '${name}' must be a mapping, not ${describeValue(command)}.`,
      );
      continue;
    }
    for (const field of ['description', 'handler']) {
      const text = command[field];
      if (typeof text === 'string' && text.trim() !== '') continue;
      card.report.report('command-invalid', [...path, field], `Command '${name}' needs a non-empty '${field}'.`);
    }
    result[name] = toJson(command);
  }
  return result;
}
