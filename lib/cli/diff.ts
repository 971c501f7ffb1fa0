import { parseArgs } from 'node:util';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { Json } from '@/lib/base/json';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { CapabilityChange, Weight } from '@/lib/graph/changes/capability-change';
import { compareProjects } from '@/lib/graph/changes/compare-projects';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { FieldChange, SemanticDiff } from '@/lib/graph/changes/semantic-diff';
import { switchWords } from '@/lib/graph/review/change-rows';
import { faultOf } from './fault-of';
import { printJson, printNote, printResult } from './print';
import { readDiskFolder } from './read-disk-folder';

const usage = 'callboard diff BEFORE AFTER [--json] [--fail-on more|any]';

/**
 * `diff BEFORE AFTER [--json] [--fail-on more|any]`: says what the folder AFTER can do that BEFORE could not, and what else is
 * different in it. Nothing of them runs. Exit code 0: compared; 1: there is more power (`--fail-on more`) or any change of it
 * (`--fail-on any`); 2: a folder cannot be read, or the command is wrong.
 */
export async function diff(args: readonly string[]): Promise<number> {
  try {
    const { before, after, json, failOn } = readOptions(args);
    const { capabilities, semantic } = compareProjects(await readProject(before), await readProject(after));
    if (json) printJson({ capabilities, semantic: asJson(semantic) }, 2);
    else printResult(describe(capabilities, semantic));
    const counts = capabilities.filter(({ weight }) => failOn === 'any' || (failOn === 'more' && weight === 'more'));
    return counts.length > 0 ? 1 : 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, 'fail-on': { type: 'string' } },
  });
  const [before, after, ...others] = positionals;
  if (before === undefined || after === undefined || others.length > 0) throw new Error(`Name two folders: ${usage}`);
  const failOn = values['fail-on'];
  if (failOn !== undefined && failOn !== 'more' && failOn !== 'any') {
    throw new Error(`--fail-on takes more or any, not '${failOn}'.`);
  }
  return { before, after, json: values.json, failOn };
}

async function readProject(path: string): Promise<ReadProject> {
  const folder = await readDiskFolder(path);
  return { folder, parsed: readFolder(folder) };
}

/** Maps of renames are objects in JSON. */
function asJson({ renames, ...rest }: SemanticDiff): object {
  const { files, agents, servers, functions } = renames;
  return {
    renames: {
      files: Object.fromEntries(files),
      agents: Object.fromEntries(agents),
      servers: Object.fromEntries(servers),
      functions: Object.fromEntries(functions),
    },
    ...rest,
  };
}

const titles: Readonly<Record<Weight, string>> = {
  more: 'It can do more:',
  'same-but-different': 'It does something else:',
  less: 'It can do less:',
};
const signs: Readonly<Record<Weight, string>> = { more: '+', 'same-but-different': '~', less: '-' };

/** Says what a change can do and what it changes, in lines. */
export function describe(capabilities: readonly CapabilityChange[], semantic: SemanticDiff): string {
  const weights: readonly Weight[] = ['more', 'same-but-different', 'less'];
  const summary = weights.flatMap((weight) => {
    const found = capabilities.filter((change) => change.weight === weight);
    return found.length === 0 ? [] : [titles[weight], ...found.map(lineOf)];
  });
  const parts = partsOf(semantic);
  const lines = [
    ...(summary.length === 0 ? ['Nothing that it can do is different.'] : summary),
    ...(parts.length === 0 ? [] : ['', 'Part by part:', ...parts]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function lineOf({ weight, sentence, anchor }: CapabilityChange): string {
  const { side, file, line } = anchor;
  const place = file === '' ? '' : ` (${side === 'before' ? 'before: ' : ''}${escapeHidden(file)}:${line})`;
  return `  ${signs[weight]} ${escapeHidden(sentence)}${place}`;
}

const marks = { added: '+', removed: '-', changed: '~', renamed: '~', moved: '~', kept: ' ' } as const;

function partsOf({ agents, delegations, chains, servers, settings, config }: SemanticDiff): string[] {
  const lines: string[] = [];
  for (const { change, name, from, fields, instruction } of agents) {
    lines.push(
      `  ${marks[change]} agent ${name}${from === undefined ? '' : ` (was ${from})`}`,
      ...fields.map(fieldLine),
    );
    if (instruction !== undefined && change !== 'added' && change !== 'removed') {
      lines.push(`      instruction: +${instruction.added} −${instruction.removed} lines`);
    }
  }
  for (const { change, parent, child, fields } of delegations) {
    lines.push(`  ${marks[change]} delegation ${parent} → ${child}`, ...fields.map(fieldLine));
  }
  for (const { agent, steps } of chains) {
    lines.push(`  ~ hooks of ${agent === undefined ? 'every agent' : `agent ${agent}`}`);
    for (const { change, before, after } of steps) {
      const notes = [...(change === 'moved' ? ['moved'] : []), ...switchWords({ before, after })];
      const words = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
      lines.push(`      ${marks[change]} ${after?.spec ?? before?.spec ?? ''}${words}`);
    }
  }
  for (const { change, name, fields } of servers) {
    lines.push(`  ${marks[change]} server ${name}`, ...fields.map(fieldLine));
  }
  if (settings.length > 0) lines.push('  ~ callboard.yaml', ...settings.map(fieldLine));
  if (config.length > 0) lines.push('  ~ config', ...config.map(fieldLine));
  return lines.map(escapeHidden);
}

function fieldLine({ field, before, after }: FieldChange): string {
  return `      ${field}: ${shown(before)} → ${shown(after)}`;
}

const mostShown = 80;

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'not set' : JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
