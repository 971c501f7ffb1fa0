import type { Json, JsonObject } from '@/lib/base/json';

/** How much a model shall think: fast-agent's values of `reasoning`. */
type Reasoning =
  | { readonly kind: 'off' }
  /** The provider decides. */
  | { readonly kind: 'auto' }
  | { readonly kind: 'effort'; readonly effort: string }
  | { readonly kind: 'budget'; readonly tokens: number };

const efforts: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/**
 * Reads settings of a request. `request_params` of the card (snake_case or camelCase) take precedence over the query of the
 * model string. A value of the wrong type counts as not set.
 */
export class RequestParams {
  constructor(
    private readonly params: JsonObject,
    private readonly query: ReadonlyMap<string, string>,
  ) {}

  number(name: string, alias = name): number | undefined {
    const given = this.read(name) ?? this.query.get(name) ?? this.query.get(alias);
    const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  word(name: string): string | undefined {
    const value = this.read(name) ?? this.query.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  boolean(name: string): boolean | undefined {
    const value = this.read(name);
    return typeof value === 'boolean' ? value : undefined;
  }

  texts(name: string): readonly string[] {
    const value = this.read(name);
    return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
  }

  /** Returns the setting of `reasoning`, or `undefined` if there is none that can be read. */
  reasoning(): Reasoning | undefined {
    const given = this.read('reasoning') ?? this.read('reasoning_effort') ?? this.query.get('reasoning');
    if (given === undefined || given === null) return undefined;
    const word = String(given).trim().toLowerCase();
    if (/^(?:false|off|none|0)$/.test(word)) return { kind: 'off' };
    if (/^(?:true|on|auto|adaptive)$/.test(word)) return { kind: 'auto' };
    if (efforts.has(word)) return { kind: 'effort', effort: word };
    const tokens = Number(word);
    return word !== '' && Number.isInteger(tokens) && tokens > 0 ? { kind: 'budget', tokens } : undefined;
  }

  private read(name: string): Json | undefined {
    return this.params[name] ?? this.params[name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  }
}
