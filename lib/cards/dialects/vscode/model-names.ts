import { nameModel } from '@/lib/cards/models/name-model';

/**
 * Returns the name of a model for the name that VS Code shows, such as `Claude Sonnet 4.5 (copilot)`: small letters, hyphens, and no
 * vendor. A model that is newer than the list of models gets its provider. A name that is written for a program stays as it is.
 */
export function modelHere(name: string): string {
  const shown = name.replace(/\s*\([^()]*\)/g, '').trim();
  const [maker] = makers.find(([, start]) => start.test(shown)) ?? [];
  if (maker === undefined) return name.trim();
  const word = shown.toLowerCase().replace(/\s+/g, '-');
  const model = maker === 'anthropic' ? word.replaceAll('.', '-') : word;
  const known = nameModel(model);
  return known.ok && known.value.provider !== undefined ? model : `${maker}.${model}`;
}

const makers: readonly (readonly [string, RegExp])[] = [
  ['openai', /^(?:gpt-\d|o\d)[\w. -]*$/i],
  ['anthropic', /^claude[ -][\w. -]*$/i],
  ['google', /^gemini[ -][\w. -]*$/i],
  ['xai', /^grok[ -][\w. -]*$/i],
];
