import { ok, type Result } from '@/lib/base/result';
import table from './model-names.json';
import { parseModel } from './model-string';

/** A model string with resolved aliases. */
export interface NamedModel {
  /** `undefined` if it is neither given nor known (docs/models.md). `fast-agent` needs no provider. */
  readonly provider: string | undefined;
  /** The name for the provider, with its suffix. */
  readonly name: string;
  /** The query, with keys in snake_case. Given values take precedence over those of an alias. */
  readonly query: ReadonlyMap<string, string>;
}

interface Alias {
  readonly provider: string;
  readonly model: string;
  readonly query?: string;
}

const aliases: ReadonlyMap<string, Alias> = new Map(
  table.aliases.flatMap((alias: Alias & { readonly names: readonly string[] }) =>
    alias.names.map((name) => [name, alias] as const),
  ),
);

const providerOf: ReadonlyMap<string, string> = new Map(
  Object.entries(table.models).flatMap(([provider, models]) => models.map((model) => [model, provider] as const)),
);

/**
 * Resolves a model string as fast-agent does: `[provider.]model[:suffix][?k=v&…]` or `provider/model`. The part before the
 * suffix may be an alias (`sonnet`, `kimi`). Settings of the alias are defaults; a given suffix replaces that of the alias.
 * A name without a provider gets the provider in the table. The error is a sentence. The sources are in sources.md in this
 * folder.
 */
export function nameModel(text: string): Result<NamedModel, string> {
  const spec = parseModel(text);
  if (!spec.ok) return spec;
  const { provider, model, suffix } = spec.value;
  const [, written = ''] = /\?(.*)$/s.exec(text.trim()) ?? [];
  const query = readQuery(written);
  const whole = suffix === undefined ? model : `${model}:${suffix}`;
  if (provider !== undefined) return ok({ provider, name: whole, query });
  const at = whole.lastIndexOf(':');
  const [base, ending] = at <= 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at)];
  const alias = aliases.get(base);
  if (alias !== undefined) {
    const name = ending === '' ? alias.model : alias.model.replace(/:[^:]*$/, '') + ending;
    return ok({ provider: alias.provider, name, query: new Map([...readQuery(alias.query ?? ''), ...query]) });
  }
  const known = providerOf.get(whole.toLowerCase()) ?? providerOf.get(base.toLowerCase());
  return ok({ provider: known, name: whole, query });
}

/** Returns `provider.name` for an alias or a bare name, for price lists. Other model strings stay unchanged. */
export function canonicalModel(text: string): string {
  const named = nameModel(text);
  if (!named.ok || named.value.provider === undefined) return text;
  const { provider, name } = named.value;
  return `${provider === 'responses' ? 'openai' : provider}.${name}`;
}

function readQuery(query: string): Map<string, string> {
  return new Map(
    [...new URLSearchParams(query)].map(([key, value]) => {
      const snake = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [snake === 'temp' ? 'temperature' : snake, value];
    }),
  );
}
