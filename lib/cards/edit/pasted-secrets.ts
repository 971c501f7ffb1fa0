import type { Json, JsonObject } from '@/lib/base/json';
import { secretKeys } from '@/lib/base/redact';

const isUsualSecret = secretKeys();
/** More words at the end of a name that say that its value is a secret, such as `OPENAI_KEY` and `GITHUB_PAT`. */
const lastWords = new Set(['key', 'pat', 'cookie', 'auth', 'sig', 'signature', 'dsn', 'bearer']);

function isSecret(name: string): boolean {
  const last = name.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).at(-1) ?? '';
  return isUsualSecret(name) || lastWords.has(last.toLowerCase());
}

/** Takes values that look like secrets out of pasted settings. `${NAME}` stands in their place. */
export class PastedSecrets {
  /** The values by name, so that two servers with different values of one name have two secrets. */
  private readonly values = new Map<string, string>();

  get names(): readonly string[] {
    return [...this.values.keys()];
  }

  /** `--token=x`, `--api-key x`, `-e KEY=x`, `--header "Authorization: Bearer x"`, and addresses. */
  inArguments(args: readonly string[], server: string): string[] {
    return args.map((arg, index) => {
      const text = this.inAddress(arg, server);
      if (text.includes('${')) return text;
      const [, head = '', name = '', sign = '', value = ''] =
        /^((?:--?(?:env|e|header|H)=)?-{0,2})([\w-]+)(\s*[:=]\s*)(.+)$/s.exec(text) ?? [];
      if (isSecret(name)) return `${head}${name}${sign}${this.replaced(name, value, server)}`;
      const option = /^--?([\w-]+)$/.exec(args[index - 1] ?? '')?.[1] ?? '';
      return isSecret(option) && !text.startsWith('-') ? this.replaced(option, text, server) : text;
    });
  }

  /** The password of an address, and secrets in its query. */
  inAddress(url: string, server: string): string {
    return this.withoutVariables(url)
      .replace(/(:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/g, (whole, head: string, password: string) =>
        password.includes('${') ? whole : head + this.reference(`${server}_password`, password, server),
      )
      .replace(/([?&])([\w.-]+)=([^&#$\s]+)/g, (whole, mark: string, key: string, value: string) =>
        isSecret(key) ? `${mark}${key}=${this.reference(key, value, server)}` : whole,
      );
  }

  /** `secretOf` makes the name of a secret from the name of the value. */
  inPairs(values: Readonly<Record<string, unknown>>, server: string, secretOf: (key: string) => string): JsonObject {
    const entries = Object.entries(values).map(([key, value]): [string, Json] => {
      const text = this.inAddress(String(value ?? ''), server);
      const isOpen = text.includes('${') || !(isSecret(key) || isPlaceholder(text));
      return [key, isOpen ? text : this.replaced(secretOf(key), text, server)];
    });
    return Object.fromEntries(entries);
  }

  /** Replaces a value, but not the scheme before it. */
  private replaced(name: string, value: string, server: string): string {
    const [, scheme = ''] = /^((?:Bearer|Basic|Token)\s+)/i.exec(value) ?? [];
    return scheme + this.reference(name, value.slice(scheme.length), server);
  }

  private reference(name: string, value: string, server: string): string {
    let secret = variableName(name);
    const known = this.values.get(secret);
    if (known !== undefined && known !== value) secret = variableName(`${server}_${name}`);
    this.values.set(secret, value);
    return `\${${secret}}`;
  }

  /** Replaces the variables of other programs: `${input:key}`, `${env:KEY}`. */
  private withoutVariables(text: string): string {
    return text.replace(/\$\{(input|env):([^}]{1,100})\}/g, (_, kind: string, given: string) => {
      const name = variableName(given);
      if (kind === 'input') this.values.set(name, this.values.get(name) ?? '');
      return `\${${name}}`;
    });
  }
}

/** A text that asks a person to replace it: `<your key>`, `YOUR_API_KEY`. */
function isPlaceholder(text: string): boolean {
  return /^(?:<[^<>]*>|your[_ -].*)$/i.test(text.trim());
}

function variableName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
}
