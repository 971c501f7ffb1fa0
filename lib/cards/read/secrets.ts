import { isRecord } from '@/lib/base/json';
import type { FastAgentConfig } from '@/lib/cards/config';
import { generalFile } from '@/lib/cards/config-files';
import { baseName, homeName, parentOf } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { readConfig } from './read-config';

export interface ConfigWithSecrets {
  readonly config: FastAgentConfig;
  /** The values to hide in everything that is recorded or shown. */
  readonly secrets: readonly string[];
}

/**
 * Merges the folder's secrets file into the config, as fast-agent does: mappings are merged; any other value of the secrets
 * file replaces that of the config. Use the result only to connect to servers and models, and to say what runs and which hosts
 * are called. Other data for browsers and events must come from the config alone.
 */
export function withSecrets(parsed: Pick<ParsedFolder, 'config' | 'roles'>, folder: Folder): ConfigWithSecrets {
  const { config } = parsed;
  const path = findSecrets(parsed);
  const file = path === undefined ? undefined : folder.get(path);
  if (path === undefined || file?.kind !== 'text') return { config, secrets: [] };
  const yaml = parseYaml({ text: file.text, offset: 0 });
  // Such a file has an issue, and no run begins.
  if (yaml.faults.length > 0 || (yaml.value !== null && !isMapping(yaml.value))) return { config, secrets: [] };
  const merged = merge(config.raw ?? {}, yaml.value ?? {});
  const reading = readConfig(config.file ?? path, '', { ...parseYaml({ text: '', offset: 0 }), value: merged });
  return {
    config: { ...reading.config, ...withFiles(config) },
    secrets: [...new Set(secretsOf(yaml.value))],
  };
}

/**
 * Returns the secrets file beside the config (in `.fast-agent` without a config), otherwise at the top. If a folder has
 * two, the newer name is used.
 */
export function findSecrets({ config, roles }: Pick<ParsedFolder, 'config' | 'roles'>): string | undefined {
  const found = [...roles].flatMap(([path, role]) => (role === 'secrets' ? [path] : []));
  const general = generalFile(config);
  const place = general === undefined ? homeName : parentOf(general);
  const rank = (path: string) =>
    (parentOf(path) === place ? 0 : parentOf(path) === '' ? 2 : 4) + (baseName(path).startsWith('fast-agent') ? 0 : 1);
  return found.filter((path) => rank(path) < 4).sort((a, b) => rank(a) - rank(b))[0];
}

function withFiles({ file, beside }: FastAgentConfig): Pick<FastAgentConfig, 'file' | 'beside'> {
  return beside === undefined ? { file } : { file, beside };
}

function merge(base: unknown, over: unknown): unknown {
  if (!isMapping(base) || !isMapping(over)) return over;
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const merged = Object.hasOwn(base, key) ? merge(base[key], value) : value;
    Object.defineProperty(result, key, { value: merged, enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** Keys whose values are not secret. All other values of the file are secret, unless they are too short to hide. */
const openKeys = new Set(['command', 'args', 'cwd', 'transport', 'url', 'target', 'name', 'model']);
const shortest = 6;

function* secretsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    const secret = value.replace(/^(?:Bearer|Basic|Token)\s+/i, '');
    if (secret.length >= shortest && !secret.includes('${')) yield secret;
  } else if (Array.isArray(value)) for (const entry of value) yield* secretsOf(entry);
  else if (isRecord(value)) {
    for (const [key, entry] of Object.entries(value)) if (!openKeys.has(key)) yield* secretsOf(entry);
  }
}
