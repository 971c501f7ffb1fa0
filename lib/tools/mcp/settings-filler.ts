import { type Bindings, misplaced } from '@/lib/base/places';
import { type ProjectEnv, whyNeverGiven } from '@/lib/base/project-env';
import { isSecret } from '@/lib/base/secret-value';
import { fillVariables } from '@/lib/base/variables';

export interface FillPolicy {
  /** The values for `${NAME}`. */
  readonly projectEnv: ProjectEnv;
  /** Values of the project's secrets file. */
  readonly secrets: readonly string[];
  readonly bound?: Bindings | undefined;
}

/** Fills variables in the settings of one server or remote agent. Collects the secrets among the values and the variables that are not set. */
export class SettingsFiller {
  private readonly secrets: Set<string>;
  private readonly sealed: Set<string>;
  private readonly missing = new Set<string>();
  private readonly used = new Set<string>();

  constructor(private readonly policy: FillPolicy) {
    this.secrets = new Set(policy.secrets);
    this.sealed = new Set(policy.secrets);
  }

  fill(text: string): string {
    const { projectEnv } = this.policy;
    return fillVariables(text, ({ name, fallback }) => {
      const value = Object.hasOwn(projectEnv, name) ? projectEnv[name] : undefined;
      if (value === undefined) {
        if (fallback === undefined) this.missing.add(name);
        return fallback ?? '';
      }
      this.used.add(name);
      this.secrets.add(value);
      if (isSecret(name, value)) this.sealed.add(value);
      return value;
    });
  }

  fillAll(values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const filled = this.fill(value);
        if (isSecret(key, '')) {
          const secret = filled.replace(/^(?:Bearer|Basic|Token)\s+/i, '');
          for (const each of [secret, ...passwordOf(filled)]) {
            this.secrets.add(each);
            this.sealed.add(each);
          }
        }
        return [key, filled];
      }),
    );
  }

  problem(): string | undefined {
    return missingVariables(this.missing, this.policy.projectEnv);
  }

  /** Says why a value must not go to this place: the host of an address, or `placeOfStarted` of a server. */
  misplaced(place: string): string | undefined {
    return misplaced(this.used, place, this.policy.bound);
  }

  hidden() {
    return { secrets: hideable(this.secrets), sealed: hideable(this.sealed) };
  }
}

function missingVariables(missing: ReadonlySet<string>, projectEnv: ProjectEnv): string | undefined {
  const names = [...missing];
  const never = names.find((name) => whyNeverGiven(name) !== undefined);
  const unlisted = names.filter((name) => !Object.hasOwn(projectEnv, name));
  if (never !== undefined) return `it asks for the variable ${never}. ${whyNeverGiven(never)}`;
  if (unlisted.length > 0) {
    const list = unlisted.join(', ');
    return `it asks for ${variables(unlisted)}, which this installation does not give to projects. Set ${list} as ${unlisted.length === 1 ? 'a secret' : 'secrets'} of the project, or add ${unlisted.length === 1 ? 'it' : 'them'} as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.`;
  }
  if (names.length === 0) return undefined;
  return `it asks for ${variables(names)}, listed in CALLBOARD_PROJECT_ENV but not set. Set ${names.join(', ')} and start again.`;
}

function variables(names: readonly string[]): string {
  return `the variable${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

/** Returns the password in a header of Basic authorization (RFC 7617). */
function passwordOf(header: string): readonly string[] {
  const code = /^Basic\s+(\S+)$/i.exec(header)?.[1];
  const [, password] = code === undefined ? [] : (/^[^:]*:(.+)$/s.exec(Buffer.from(code, 'base64').toString()) ?? []);
  return password === undefined ? [] : [password];
}

/** Leaves out short values (`1`, `true`, `UTC`): hiding them would make messages unreadable. */
function hideable(secrets: ReadonlySet<string>): readonly string[] {
  return [...secrets].filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
}

/**
 * Moves the user and password of a URL to an `Authorization` header, unless there is one: fetch rejects a URL with a password,
 * and its message would quote the password.
 */
export function withoutCredentials(address: URL, headers: Record<string, string>): URL {
  if (address.password === '') return address;
  const user = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
  headers.Authorization ??= `Basic ${Buffer.from(user).toString('base64')}`;
  const plain = new URL(address);
  plain.username = '';
  plain.password = '';
  return plain;
}
