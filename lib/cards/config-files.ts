import type { FastAgentConfig } from './config';

/** Returns the file of models and providers. It is the file of servers too, unless these stand in a file of another program. */
export function generalFile({ file, beside }: FastAgentConfig): string | undefined {
  return beside === undefined ? file : beside.file;
}

/** Returns the files that a config is read from, without secrets. */
export function configFiles(config: FastAgentConfig): readonly string[] {
  return [...new Set([config.file, generalFile(config)])].filter((file) => file !== undefined);
}

/** Returns the file in which a key of the config stands, such as `['mcp', 'servers', 'time']`. */
export function fileOfKey(config: FastAgentConfig, [first]: readonly (string | number)[]): string | undefined {
  return first === 'mcp' ? config.file : generalFile(config);
}
