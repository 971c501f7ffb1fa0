import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Issue } from '@/lib/base/issue';
import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { type FolderModels, modelsOf, unservedModels } from '@/lib/cards/check/check-models';
import { insideProject, workFolders } from '@/lib/cards/check/check-work-folders';
import { notACard } from '@/lib/cards/check/not-a-card';
import { pythonOffIssues } from '@/lib/cards/check/python-off';
import { fixtureNames } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import { withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ModelEnv } from '@/lib/cards/models/endpoint';
import type { FileRole, ParsedFolder } from '@/lib/cards/parsed-folder';
import { readWithCode } from '@/lib/cards/project/read-with-code';
import { withSecrets } from '@/lib/cards/read/secrets';
import { relativePath } from '@/lib/cards/references';
import { neededVariables, unlistedVariables } from '@/lib/cards/variables/asked-variables';
import { fillCardVariables } from '@/lib/cards/variables/card-variables';
import { recordingOf } from '@/lib/fixtures/read-recording';
import { planHooks } from '@/lib/runtime/hook-layers/hook-plan';
import { isScripted } from '@/lib/runtime/request/resolve-model';
import { runProblems } from '@/lib/runtime/request/run-problem';
import { cardsToLoad } from '@/lib/runtime/run/load-code';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { readCommandEnv } from '@/lib/server/command-env';
import { folderOf, isAddress } from './card-address';
import { faultOf } from './fault-of';
import { openProject } from './open-project';
import { printJson, printNote, printResult } from './print';
import { withUsualModel, withUsualUse } from './usual-model';

type CheckOptions = ReturnType<typeof readOptions>;

interface Report {
  cards: { file: string; name: string; type: string }[];
  issues: Omit<Issue, 'agent'>[];
}

/**
 * `check PATH… [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--load] [--json]`: reports the issues of folders and
 * cards. For a single card, or for a folder of cards within a project, files that they refer to are read too, and issues that
 * concern them are reported. In a folder without errors it also checks what a run needs: an entry agent (`--agent` and `--model`
 * as for `run`), and code that can be loaded. Code is parsed only; `--load` also runs its top level in the sandbox, as a run
 * does. Exit code 0: no errors (warnings are allowed), 1: errors, 2: the check was not possible.
 *
 * File names in the JSON are relative to the folder. With several paths, each has its path as a prefix.
 */
export async function check(args: readonly string[]): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(args);
  } catch (error) {
    return refuse(faultOf(error));
  }
  if (options.paths.length === 0) return refuse('Name at least one card folder or card: callboard check PATH…');

  const whole: Report = { cards: [], issues: [] };
  for (const given of options.paths) {
    try {
      const report = await checkPath(await folderOf(given, options.env), options);
      const prefix = options.paths.length > 1 ? await folderGiven(given) : '';
      whole.cards.push(...report.cards.map((card) => ({ ...card, file: prefix + card.file })));
      whole.issues.push(...report.issues.map((issue) => ({ ...issue, file: prefix + issue.file })));
    } catch (error) {
      return refuse(faultOf(error));
    }
  }

  if (options.json) printJson(whole, 2);
  else printResult(summarise(whole));
  return whole.issues.some((issue) => issue.severity === 'error') ? 1 : 0;
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    // parseArgs cannot parse an option with an optional value, so a bare `--python` gets one here.
    args: args.map((arg) => (arg === '--python' ? '--python=1' : arg)),
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      model: { type: 'string' },
      python: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      load: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const env = readCommandEnv({ python: values.python, env: values.env });
  const { python, models, projectEnv, boundEnv, bound, variables } = env;
  const given = { ...projectEnv, ...boundEnv };
  const modelEnv: ModelEnv = { variables: models, projectEnv: given, bound, hasValues: true };
  const { agent, model, load, json } = values;
  return { env, agent, model, load, json, python, projectEnv, modelEnv, variables, paths: positionals };
}

async function checkPath(given: string, options: CheckOptions): Promise<Report> {
  const { root, folder, prefix, isFolder, isNamed } = await openProject(given);
  const name = prefix + path.basename(given);
  const { projectEnv, modelEnv } = options;
  const written = readWithCode(folder);
  const { config } = withSecrets(written, folder);
  const parsed = fillCardVariables(folder, written, projectEnv);
  const found = [
    ...parsed.issues,
    ...unlistedVariables(
      neededVariables(folder, { ...written, config }),
      Object.keys(projectEnv),
      Object.keys(modelEnv.projectEnv),
    ),
    ...(await foldersGone(root, folder, parsed)),
    ...fixtureNames(folder).flatMap((test) => recordingOf(folder, test).issues),
  ];
  const role = parsed.roles.get(name);
  if (!isFolder && !nameable.has(role)) found.push(notACard(folder, name, role));
  if (!found.some(isError)) {
    if (!options.python.enabled) found.push(...pythonOffIssues(folder, parsed));
    found.push(...(await codeIssues(folder, parsed, options)));
  }
  const place = parsed.cards.find(({ file }) => isNamed(file))?.file ?? name;
  const named = modelsOfRun(folder, parsed, options.model, place);
  const models = options.model === undefined ? withUsualUse(named, parsed, options.variables) : named;
  found.push(...unservedModels(models, options.modelEnv));
  // An error in another file is reported if it prevents a run.
  const stops = ({ file }: Issue) => (isFolder || role === 'card') && deciding.has(parsed.roles.get(file));
  const issues = found.filter((issue) => isNamed(issue.file) || (isError(issue) && stops(issue)));
  // A single card need not be able to run, so this is checked for folders only.
  if (isFolder && !issues.some(isError))
    issues.push(...runProblems(withUsualModel(parsed, options.variables), options));
  const relative = <T extends { readonly file: string }>(one: T): T => ({
    ...one,
    file: relativePath(prefix, one.file),
  });
  return {
    cards: parsed.cards
      .filter(({ file }) => isNamed(file))
      .map(brief)
      .map(relative),
    issues: issues.map(({ agent: _, ...issue }) => relative(issue)),
  };
}

/** Returns the issues of code that a run would find before its first model call. A run loads no hook that is off. */
async function codeIssues(folder: Folder, written: ParsedFolder, { load, python }: CheckOptions): Promise<Issue[]> {
  // Parsing runs no code, so it does not need Python to be on.
  const isOnlyParsed = !load && !python.enabled;
  const hosts = createCodeHosts({ folder, python: isOnlyParsed ? { ...python, enabled: true } : python });
  const parsed = withoutHooksOff(written);
  const hooks = planHooks(parsed.settings, undefined);
  const never = new AbortController().signal;
  const byText = new Map<string, Issue>();
  try {
    for (const each of parsed.cards) {
      for (const card of cardsToLoad(hooks, agentView(each))) {
        const issues = load ? await hosts.hooks.load(card, never) : await hosts.parse(card);
        for (const issue of issues) {
          if (isOnlyParsed && issue.code === 'python-missing') continue;
          byText.set(`${issue.file}:${issue.line}:${issue.message}`, issue);
        }
      }
    }
  } finally {
    await hosts.close();
  }
  return [...byText.values()];
}

/** Returns the models of a run. With a model in the options, scripts do not answer. */
function modelsOfRun(folder: Folder, parsed: ParsedFolder, model: string | undefined, place: string): FolderModels {
  if (model === undefined || isScripted(parsed, { model })) return modelsOf(folder, parsed);
  const found = modelsOf(folder, { ...parsed, settings: { ...parsed.settings, scripts: {} } });
  return { ...found, models: [...found.models, { model, usedBy: 'the run', file: place, line: 1 }] };
}

/** Returns the missing working folders outside the project. Reading the project checks those inside. */
async function foldersGone(root: string, folder: Folder, { cards, config }: ParsedFolder): Promise<Issue[]> {
  const outside = workFolders(folder, cards, config).filter((one) => insideProject(one.path) === undefined);
  const isThere = await Promise.all(
    outside.map((one) =>
      stat(path.resolve(root, one.path.replace(/^~(?=\/|$)/, homedir()))).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    ),
  );
  return outside.filter((_, index) => !isThere[index]).map(({ issue }) => issue);
}

/** The files that may be checked alone: cards and settings. */
const nameable: ReadonlySet<FileRole | undefined> = new Set(['card', 'config', 'settings']);

/** The files whose errors stop a run of the folder, wherever they are. */
const deciding: ReadonlySet<FileRole | undefined> = new Set(['card', 'settings', 'config', 'secrets', 'code']);

function isError({ severity }: Issue): boolean {
  return severity === 'error';
}

async function folderGiven(given: string): Promise<string> {
  if (isAddress(given)) return given.slice(0, given.lastIndexOf('/') + 1);
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
