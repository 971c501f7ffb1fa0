import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Issue } from '@/lib/base/issue';
import { pickProjectEnv, readVariableNames } from '@/lib/base/project-env';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { modelsOf, unservedModels } from '@/lib/cards/models/check-models';
import type { ModelEnv } from '@/lib/cards/models/endpoint';
import { pickProviderVariables } from '@/lib/cards/models/providers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/read-folder';
import { planHooks } from '@/lib/runtime/hooks/hook-plan';
import { cardsToLoad } from '@/lib/runtime/load-code';
import { runProblem } from '@/lib/runtime/run-problem';
import { agentCards } from '@/lib/runtime/validate';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { pythonSetting } from '@/lib/sandbox/python-setting';
import { loadEnvFile } from '@/lib/server/env';
import { printJson, printNote, printResult } from './print';
import { readDiskFolder } from './read-disk-folder';

type CheckOptions = ReturnType<typeof readOptions>;

interface Report {
  cards: { file: string; name: string; type: string }[];
  issues: Omit<Issue, 'agent'>[];
}

/**
 * `check PATH… [--agent NAME] [--python[=PATH]] [--load] [--json]`. A folder is checked whole; for a single card, or the
 * folder of the cards alone, what they refer to is read too and only what concerns them is reported. A folder without errors
 * is asked what a run would ask: where it begins (`--agent` as for `run`), and whether the code its cards name can be loaded.
 * Code is parsed, Python only with `--python`; `--load` runs its top level in the sandbox, as a run does. Exit 0 clean
 * (warnings allowed), 1 errors, 2 could not run.
 *
 * File names in the JSON are relative to the folder; with several paths each is prefixed with its path as given.
 */
export async function check(args: readonly string[]): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    loadEnvFile();
    options = readOptions(args);
  } catch (error) {
    return refuse(messageOf(error));
  }
  if (options.paths.length === 0) return refuse('Name at least one card folder or card: callboard check PATH…');

  const whole: Report = { cards: [], issues: [] };
  for (const given of options.paths) {
    try {
      const report = await checkPath(given, options);
      const prefix = options.paths.length > 1 ? await folderGiven(given) : '';
      whole.cards.push(...report.cards.map((card) => ({ ...card, file: prefix + card.file })));
      whole.issues.push(...report.issues.map((issue) => ({ ...issue, file: prefix + issue.file })));
    } catch (error) {
      return refuse(`Cannot read ${given}: ${messageOf(error)}`);
    }
  }

  if (options.json) printJson(whole, 2);
  else printResult(summarise(whole));
  return whole.issues.some((issue) => issue.severity === 'error') ? 1 : 0;
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    // A value is optional here, which parseArgs has no notion of.
    args: args.map((arg) => (arg === '--python' ? '--python=1' : arg)),
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      python: { type: 'string' },
      load: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const python = pythonSetting(values.python ?? process.env.CALLBOARD_PYTHON);
  return { agent: values.agent, load: values.load, json: values.json, python, paths: positionals };
}

async function checkPath(given: string, options: CheckOptions): Promise<Report> {
  const isFolder = (await stat(given)).isDirectory();
  const here = isFolder ? given : path.dirname(given);
  const root = await rootOf(here);
  const folder = await readDiskFolder(root);
  const parsed = readFolder(folder);
  const inside = path.relative(root, path.resolve(here));
  const prefix = inside === '' ? '' : `${inside.split(path.sep).join('/')}/`;
  const concerns = ({ file }: { readonly file: string }) =>
    isFolder ? file.startsWith(prefix) : file === prefix + path.basename(given);
  const found = [...parsed.issues];
  if (!found.some(isError)) found.push(...(await codeIssues(folder, parsed, options)));
  found.push(...unservedModels(modelsOf(folder, parsed), modelEnv()));
  // Whether a part of a folder can run is no question.
  const problem = isFolder && prefix === '' && !found.some(isError) ? runProblem(parsed, options.agent) : undefined;
  if (problem) found.push(problem);
  const relative = <T extends { readonly file: string }>(one: T): T => ({
    ...one,
    file: one.file.slice(prefix.length),
  });
  return {
    cards: parsed.cards.filter(concerns).map(brief).map(relative),
    issues: found.filter(concerns).map(({ agent: _, ...issue }) => relative(issue)),
  };
}

/** What a run would say of the code that the cards name, before its first model call. */
async function codeIssues(folder: Folder, parsed: ParsedFolder, { load, python }: CheckOptions): Promise<Issue[]> {
  const hosts = createCodeHosts({ folder, python });
  const hooks = planHooks(parsed.settings, undefined);
  const never = new AbortController().signal;
  const byText = new Map<string, Issue>();
  try {
    for (const agent of agentCards(parsed).values()) {
      for (const card of cardsToLoad(hooks, agent)) {
        const issues = load ? await hosts.hooks.load(card, never) : await hosts.parse(card);
        for (const issue of issues) byText.set(`${issue.file}:${issue.line}:${issue.message}`, issue);
      }
    }
  } finally {
    await hosts.close();
  }
  return [...byText.values()];
}

function isError({ severity }: Issue): boolean {
  return severity === 'error';
}

const rootFiles = ['fast-agent.yaml', 'fastagent.config.yaml', 'callboard.yaml'];

/** As `callboard run` has it. */
function modelEnv(): ModelEnv {
  const { names } = readVariableNames(process.env.CALLBOARD_PROJECT_ENV ?? '');
  const variables = pickProviderVariables(process.env);
  return { variables, projectEnv: pickProjectEnv(names, process.env), hasValues: true };
}

/** Where the folder's servers and settings are: cards usually lie one folder below them. */
async function rootOf(folder: string): Promise<string> {
  const here = path.resolve(folder);
  for (const candidate of [here, path.dirname(here)]) {
    if ((await readdir(candidate)).some((name) => rootFiles.includes(name))) return candidate;
  }
  return here;
}

async function folderGiven(given: string): Promise<string> {
  const folder = (await stat(given)).isDirectory() ? given : path.dirname(given);
  return folder.endsWith('/') ? folder : `${folder}/`;
}

function brief(card: Card): Report['cards'][number] {
  return { file: card.file, name: card.name, type: card.type };
}

function summarise(report: Report): string {
  const lines = report.issues.map(
    (issue) => `${issue.file}:${issue.line}:${issue.column} ${issue.severity} ${issue.message} [${issue.code}]`,
  );
  const errors = report.issues.filter((issue) => issue.severity === 'error').length;
  const rest = report.issues.length - errors;
  lines.push(`${report.cards.length} cards, ${errors} errors, ${rest} warnings and notes`);
  return `${lines.join('\n')}\n`;
}

function refuse(sentence: string): number {
  printNote(`${sentence}\n`);
  return 2;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
