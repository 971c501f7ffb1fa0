import type { Issue } from '@/lib/base/issue';
import type { FastAgentConfig, ServerConfig } from '@/lib/cards/config';
import { isModelReference, parseModel, resolveModelReference } from '@/lib/cards/models/model-string';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { YamlSource } from '@/lib/cards/yaml/yaml-source';
import { reportConfigWithoutEffect } from './config-without-effect';
import { describeValue, toJson } from './describe-value';
import { type Mapping, readMapping, readText, readTextMap } from './fields';

import { FileReport } from './file-report';
import { readProviders } from './read-providers';
import { readElicitation, readProtocolMode, readServer } from './read-server';

export interface ConfigReading {
  readonly config: FastAgentConfig;
  readonly issues: readonly Issue[];
}

export const noConfig: FastAgentConfig = {
  file: undefined,
  servers: {},
  defaultModel: undefined,
  modelReferences: {},
  providers: {},
  raw: null,
};

/**
 * Reads fast-agent.yaml. Unknown keys stay in `raw` without an issue, as in fast-agent. Keys that have an effect on
 * conversations in fast-agent, but not here, are warnings.
 */
export function readConfig(file: string, text: string, yaml: YamlSource): ConfigReading {
  const report = new FileReport(file, text, yaml, 'config-invalid');
  for (const { key, offset } of yaml.repeated) {
    report.reportAt('duplicate-key', offset, `'${key}' is given twice and this one counts. Remove one of them.`);
  }
  if (yaml.value === null || yaml.value === undefined) return { config: { ...noConfig, file }, issues: report.issues };
  if (!isMapping(yaml.value)) {
    report.report('config-invalid', [], `The config must be a mapping, not ${describeValue(yaml.value)}.`);
    return { config: { ...noConfig, file }, issues: report.issues };
  }
  const root: Mapping = { report, value: yaml.value, path: [] };
  reportConfigWithoutEffect(root);
  const modelReferences = readReferences(root);
  const config: FastAgentConfig = {
    file,
    servers: readServers(root),
    defaultModel: readDefaultModel(root, modelReferences),
    modelReferences,
    providers: readProviders(root),
    raw: toJson(yaml.value),
  };
  return { config, issues: report.issues };
}

function readServers(root: Mapping): Record<string, ServerConfig> {
  const mcp = readMapping(root, 'mcp');
  if (mcp === undefined) return {};
  if (mcp.value.targets !== undefined) {
    root.report.reportKey(
      'config-invalid',
      ['mcp', 'targets'],
      "'mcp.targets' is refused. Put servers in 'mcp.servers'.",
    );
  }
  const servers = readMapping(mcp, 'servers');
  const elicitation = readElicitation(root);
  const defaults = readMapping(mcp, 'defaults');
  const protocol = defaults && readProtocolMode(defaults);
  const result: Record<string, ServerConfig> = {};
  for (const name of Object.keys(servers?.value ?? {})) {
    const entry = servers && readMapping(servers, name);
    const server = entry && readServer(entry, name, elicitation, protocol);
    if (server !== undefined) Object.defineProperty(result, name, { value: server, enumerable: true });
    else if (servers?.value[name] === null) {
      root.report.report(
        'config-invalid',
        ['mcp', 'servers', name],
        `Server '${name}' is empty. Give it a command or a url.`,
      );
    }
  }
  return result;
}

function readReferences(root: Mapping): Record<string, Record<string, string>> {
  const namespaces = readMapping(root, 'model_references');
  const result = Object.fromEntries(
    Object.keys(namespaces?.value ?? {}).flatMap((namespace) =>
      namespaces === undefined ? [] : [[namespace, readTextMap(namespaces, namespace)] as const],
    ),
  );
  for (const [namespace, group] of Object.entries(result)) {
    for (const key of Object.keys(group)) {
      const resolved = resolveModelReference(`$${namespace}.${key}`, result);
      if (!resolved.ok) root.report.report('model-reference', ['model_references', namespace, key], resolved.error);
    }
  }
  return result;
}

function readDefaultModel(root: Mapping, references: FastAgentConfig['modelReferences']): string | undefined {
  const model = readText(root, 'default_model');
  if (model === undefined) return undefined;
  const resolved = isModelReference(model) ? resolveModelReference(model, references) : parseModel(model);
  if (!resolved.ok) {
    root.report.report(
      isModelReference(model) ? 'model-reference' : 'model-invalid',
      ['default_model'],
      resolved.error,
    );
  }
  return model;
}
