import type { z } from 'zod';
import type { Issue } from '@/lib/base/issue';
import { valueAdvice } from '@/lib/base/value-advice';
import { defaultSettings, type Settings, settingsSchema } from '@/lib/cards/settings';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { Path, YamlSource } from '@/lib/cards/yaml/yaml-source';
import { describeValue, toJson } from './describe-value';
import { FileReport } from './file-report';
import { parseExactly } from './parse-exactly';
import { keyAdvice } from './settings-fault';

export interface SettingsReading {
  readonly settings: Settings;
  readonly issues: readonly Issue[];
  /** Kept for later checks against the cards. */
  readonly report: FileReport | undefined;
}

export const noSettings: SettingsReading = { settings: defaultSettings, issues: [], report: undefined };

/** Reads callboard.yaml. Reports and ignores values that do not match the schema; the other values are used. */
export function readSettings(file: string, text: string, yaml: YamlSource): SettingsReading {
  const report = new FileReport(file, text, yaml);
  for (const { key, offset } of yaml.repeated) {
    report.reportAt('duplicate-key', offset, `'${key}' is given twice and this one counts. Remove one of them.`);
  }
  const done = (settings: Settings): SettingsReading => ({ settings, issues: report.issues, report });
  if (yaml.value === null || yaml.value === undefined) return done(defaultSettings);
  if (!isMapping(yaml.value)) {
    report.report('settings-invalid', [], `callboard.yaml must be a mapping, not ${describeValue(yaml.value)}.`);
    return done(defaultSettings);
  }
  const value = toJson(yaml.value);
  const first = parseExactly(settingsSchema, value);
  if (first.success) return done(first.data);
  for (const issue of first.error.issues) reportIssue(report, issue, yaml.value);
  const rest = isMapping(value) ? withoutFaults({ ...value }, first.error.issues) : {};
  const second = parseExactly(settingsSchema, rest);
  return done(second.success ? second.data : defaultSettings);
}

function reportIssue(report: FileReport, issue: z.core.$ZodIssue, value: unknown): void {
  const path = pathOf(issue);
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      report.reportKey(
        'settings-invalid',
        [...path, key],
        `callboard.yaml has no key '${[...path, key].join('.')}'. ${keyAdvice([...path, key])}`,
      );
    }
    return;
  }
  const found = valueAt(value, path);
  if (path.length === 1 && path[0] === 'version' && found === undefined) {
    report.report('settings-invalid', [], "callboard.yaml has no version. Add the line 'version: 1'.");
    return;
  }
  const text = `'${path.join('.')}' is ${describeValue(found)}: ${valueAdvice(issue)}. Correct it.`;
  report.report('settings-invalid', path, text);
}

/** Removes the smallest faulty unit: a delegation, a script, a position, otherwise the top-level key. */
function withoutFaults(value: Record<string, unknown>, issues: readonly z.core.$ZodIssue[]): Record<string, unknown> {
  const copy = structuredClone(value);
  for (const issue of issues) {
    const path = pathOf(issue);
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) removeAt(copy, [...path, key]);
    else if (path[0] === 'version') copy.version = 1;
    else removeAt(copy, path.slice(0, path[0] === 'canvas' && path[1] === 'positions' ? 3 : depthOf(path)));
  }
  return copy;
}

function depthOf(path: Path): number {
  return (
    {
      delegations: 3,
      scripts: 2,
      canvas: 2,
      limits: 2,
      agent_hooks: 2,
      hooks: 2,
      hooks_off: 2,
      toolsets: 2,
      tool_groups: 2,
      find_tools: 3,
      external_tools: 2,
    }[String(path[0])] ?? 1
  );
}

function removeAt(root: Record<string, unknown>, path: Path): void {
  const parent = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (isMapping(parent) && last !== undefined) delete parent[last];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((parent, key) => {
    if (Array.isArray(parent)) return parent[Number(key)];
    return isMapping(parent) ? parent[key] : undefined;
  }, value);
}

function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
}
