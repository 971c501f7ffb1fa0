import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { whyNeverGiven } from '@/lib/base/project-env';
import { isPlaceholder, isRandom, isSecret, tokenInText } from './secret-shapes';

/** Arguments after which a whole `NAME=value` or `Name: value` follows. */
const takesPair = /^(?:-e|--env|-H|--header)$/;
/** JSON that is nested deeper is not looked at. */
const deepest = 50;

/**
 * Takes values that look like secrets out of pasted settings. `${NAME}` stands in their place. Names of settings count
 * (`API_KEY`), and the values themselves: tokens of well-known services, `Bearer …`, passwords of addresses, and JSON that has
 * such members.
 */
export class PastedSecrets {
  /** The values by name, so that two servers with different values of one name have two secrets. */
  private readonly values = new Map<string, string>();

  get names(): readonly string[] {
    return [...this.values.keys()];
  }

  /** `--token=x`, `--api-key x`, `-e KEY=x`, `--header "Authorization: Bearer x"`, addresses, and command lines in one argument. */
  inArguments(args: readonly string[], server: string): string[] {
    return args.map((arg, index) => this.inArgument(arg, args[index - 1] ?? '', server));
  }

  private inArgument(arg: string, previous: string, server: string): string {
    const text = this.withoutVariables(arg, server);
    const json = this.inJson(text, server);
    if (json !== undefined) return json;
    const option = /^--?([\w-]+)$/.exec(previous)?.[1] ?? '';
    if (isPlaceholder(text)) {
      const name = option === '' || takesPair.test(previous) ? text : option;
      return isSecret(name, 'value') ? this.reference(name, text, server) : text;
    }
    const [, head = '', name = '', sign = '', value = ''] =
      /^((?:--?(?:env|e|header|H)=)?-{0,2})([\w-]+)(\s*=\s*|:\s*)(.+)$/s.exec(text) ?? [];
    const isPair = head !== '' || takesPair.test(previous);
    const isWhole =
      isPair || /:\s/.test(sign) || (sign !== ':' && (!/\s|;[\w ]+=/.test(value) || /^(["']).*\1$/s.test(value)));
    if (isWhole && this.hides(name, value)) return `${head}${name}${sign}${this.replaced(name, value, server)}`;
    if (!text.startsWith('-') && this.hides(option, text)) return this.replaced(option, text, server);
    return this.inText(text, server, option === '' || takesPair.test(previous) ? undefined : option);
  }

  /** Secrets of an address: its password, its query, what follows `#`, and parts of its path that look like keys. */
  inAddress(url: string, server: string): string {
    return this.inText(this.withoutVariables(url, server), server, undefined);
  }

  /** `secretOf` makes the name of a secret from the name of the value. */
  inPairs(values: Readonly<Record<string, unknown>>, server: string, secretOf: (key: string) => string): JsonObject {
    const entries = Object.entries(values).map(([key, value]): [string, Json] => {
      const text = isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value ?? '');
      return [key, this.inValue(key, text, server, secretOf(key))];
    });
    return Object.fromEntries(entries);
  }

  private inValue(key: string, value: string, server: string, secret: string): string {
    const text = this.withoutVariables(value, server);
    const json = this.inJson(text, server);
    if (json !== undefined) return json;
    const [, scheme = '', rest = text] = /^((?:Bearer|Basic|Token)\s+)(.*)$/is.exec(text) ?? [];
    if (isPlaceholder(rest)) return scheme + this.reference(secret, rest, server);
    return this.hides(key, text) ? this.replaced(secret, text, server) : this.inText(text, server, secret);
  }

  /** Returns the JSON without its secrets. Returns `undefined` for a text that is no JSON or has none. */
  private inJson(text: string, server: string): string | undefined {
    if (!/^\s*[{[]/.test(text)) return undefined;
    const value = parseJson(text);
    if (!isRecord(value) && !Array.isArray(value)) return undefined;
    let found = false;
    const walk = (inner: Json, key: string, depth: number): Json => {
      if (depth > deepest) return inner;
      if (Array.isArray(inner)) return inner.map((item) => walk(item, key, depth + 1));
      if (isRecord(inner)) {
        return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, walk(member, name, depth + 1)]));
      }
      if (typeof inner !== 'string') return inner;
      const open = this.inValue(key, inner, server, `${server}_${key}`);
      found ||= open !== inner;
      return open;
    };
    const open = walk(value, '', 0);
    return found ? JSON.stringify(open) : undefined;
  }

  /** Secrets that stand somewhere in a text. `secret` is the name for one that has none of its own. */
  private inText(text: string, server: string, secret: string | undefined): string {
    const name = secret ?? `${server}_token`;
    const value = (head: string, key: string, given: string, tail = '') =>
      `${head}${this.reference(key, given, server)}${tail}`;
    return this.inUrls(text, server)
      .replace(
        /(?<![\w$.{-])(-{0,2}([A-Za-z_][\w.-]*)(?:\s*=\s*|:\s+))("[^"]*"|'[^']*'|[^\s;&|"'#]+)/g,
        (whole, head: string, key: string, given: string) => this.quoted(whole, head, key, given, server),
      )
      .replace(
        /(?<!\S)(--?([A-Za-z][\w-]*)\s+)("[^"]*"|'[^']*'|[^\s;&|"'-][^\s;&|"']*)/g,
        (whole, head: string, key: string, given: string) => this.quoted(whole, head, key, given, server),
      )
      .replace(
        /\b(Bearer\s+)(?!\$\{|(?:tokens?|auth\w*)\b)([^\s"',;]{3,})|\b(Basic\s+)(?=[A-Za-z0-9+/]*[0-9A-Z=])([A-Za-z0-9+/]{6,}={0,2})(?![\w/])/gi,
        (_, bearer: string | undefined, token: string, basic = '', password = '') =>
          bearer === undefined ? value(basic, name, password) : value(bearer, name, token),
      )
      .replace(tokenInText, (token) => value('', name, token));
  }

  private quoted(whole: string, head: string, key: string, given: string, server: string): string {
    const [, quote = '', inner = given] = /^(["'])(.*)\1$/s.exec(given) ?? [];
    return this.hides(key, inner) ? `${head}${quote}${this.replaced(key, inner, server)}${quote}` : whole;
  }

  private inUrls(text: string, server: string): string {
    return text.replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+/gi, (url) => {
      // A password may hold `@` and `/`. A port before a path is no password.
      const [, scheme = '', user = '', password = '', rest = ''] =
        /^([^:]+:\/\/)([^/:@?#]*)(?::(?!\d+\/)([^?#]*))?@(.*)$/s.exec(url) ?? [];
      const where = scheme === '' ? url : rest;
      const open = this.inPath(where, server, scheme === '').replace(
        /([?&#;])([\w.-]+)=([^&#;$]+)/g,
        (whole, mark: string, key: string, given: string) => {
          const hides =
            this.hides(key, given) || (isRandom(given) && !/(?:id|ref|profile|project|hash|version)$/i.test(key));
          return hides ? `${mark}${key}=${this.reference(key, given, server)}` : whole;
        },
      );
      if (scheme === '') return open;
      const hidden = (name: string, given: string) =>
        given === '' || given.includes('${') ? given : this.reference(`${server}_${name}`, given, server);
      const who = password === '' && isRandom(user) ? hidden('password', user) : user;
      return `${scheme}${who}${password === '' ? '' : `:${hidden('password', password)}`}@${open}`;
    });
  }

  /** Replaces parts of a path that look like keys. */
  private inPath(address: string, server: string, withScheme: boolean): string {
    const [, host = '', path = '', rest = ''] =
      (withScheme ? /^([^:]+:\/\/[^/?#]*)([^?#]*)(.*)$/s : /^([^/?#]*)([^?#]*)(.*)$/s).exec(address) ?? [];
    const open = path.replace(/[^/]+/g, (part) =>
      isRandom(part) && !part.includes('${') ? this.reference(`${server}_key`, part, server) : part,
    );
    return (
      host +
      open +
      rest.replace(/^#(?!.*=)(.+)$/s, (whole, part: string) =>
        isRandom(part) ? `#${this.reference(`${server}_key`, part, server)}` : whole,
      )
    );
  }

  /** True for a secret by its name. A value that names a variable already hides nothing. */
  private hides(name: string, value: string): boolean {
    return name !== '' && !value.includes('${') && isSecret(name, value);
  }

  /** Replaces a value, but not the scheme before it. */
  private replaced(name: string, value: string, server: string): string {
    const [, scheme = ''] = /^((?:Bearer|Basic|Token)\s+)/i.exec(value) ?? [];
    return scheme + this.reference(name, value.slice(scheme.length), server);
  }

  /** Chooses a name that has no other value yet, and that a server may get: keys of model providers never go to servers. */
  private reference(name: string, value: string, server: string): string {
    const prefixed = name.startsWith(`${server}_`) ? name : `${server}_${name}`;
    const isFree = (secret: string) =>
      /^[A-Z_]/.test(secret) &&
      whyNeverGiven(secret) === undefined &&
      [undefined, value].includes(this.values.get(secret));
    const names = [name, prefixed, `server_${prefixed}`].map(variableName);
    let secret = names.find(isFree);
    for (let number = 2; secret === undefined; number += 1) {
      const numbered = variableName(`server_${prefixed}_${number}`);
      if (isFree(numbered)) secret = numbered;
    }
    this.values.set(secret, value);
    return `\${${secret}}`;
  }

  /** Replaces the variables of other programs, `${input:key}` and `${env:KEY}`, and variables that no server gets. */
  private withoutVariables(text: string, server: string): string {
    return text.replace(/\$\{(?:(input|env):)?([^}]{1,100})\}/g, (whole, kind: string | undefined, given: string) => {
      if (kind === undefined) {
        return /^\w+$/.test(given) && whyNeverGiven(given) !== undefined ? this.reference(given, whole, server) : whole;
      }
      const name = variableName(given);
      if (whyNeverGiven(name) !== undefined) return this.reference(name, `\${${given}}`, server);
      if (kind === 'input') this.values.set(name, this.values.get(name) ?? '');
      return `\${${name}}`;
    });
  }
}

function variableName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
}
