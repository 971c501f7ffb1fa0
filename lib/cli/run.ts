import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { entryGuessed } from '@/lib/cards/project/entry';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { fillCardVariables } from '@/lib/cards/variables/card-variables';
import { openRunPorts } from '@/lib/jobs/run-ports';
import { systemClock } from '@/lib/jobs/system-clock';
import { forwardFilter } from '@/lib/runtime/instance/forwarding';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import { firstLine } from '@/lib/runtime/record/messages';
import type { RunOutcome } from '@/lib/runtime/request/run-request';
import { execute } from '@/lib/runtime/run/execute';
import { readCommandEnv } from '@/lib/server/command-env';
import { failedWords } from '@/lib/trace/failed-words';
import { fileSessions, sessionFolderOf } from './file-sessions';
import { createNarrator } from './narrator';
import { openProject } from './open-project';
import { printJson, printNote, printResult } from './print';
import { mayStart, openSurroundings } from './run-surroundings';
import { type TerminalPeople, terminalPeople } from './terminal-people';
import { withUsualModel } from './usual-model';

/**
 * `run FOLDER --message TEXT [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--trust] [--approve all|none|ask] [--strict]
 * [--json [--deltas]]`:
 * executes a run as the app does, but without a database. `--python` replaces CALLBOARD_PYTHON; each `--env` adds a name to
 * CALLBOARD_PROJECT_ENV. In a terminal it asks before a folder starts or calls something for the first time, unless `--trust`
 * is given.
 * `--approve ask` asks in the terminal what the run asks people (the default in a terminal), `all` approves every call, `none`
 * denies it.
 * The answer goes to stdout, progress to stderr. With `--json`, stdout is the event log, one JSON object per line, which ends
 * with `run.finished`. With `--deltas` it also has the text of models as it arrives: `model.delta` events without `seq`.
 * A server that did not start is a warning on stderr, and exit code 1 with `--strict`.
 * Exit code 0: answered, 1: failed or stopped, 2: the run could not start (usage, folder, cards).
 */
export async function run(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
    if (!(await stat(options.folder)).isDirectory()) throw new Error(`${options.folder} is not a folder.`);
  } catch (error) {
    printNote(`${error instanceof Error ? error.message : error}\n`);
    return 2;
  }

  const { root, folder } = await openProject(options.folder);
  const parsed = withMode(readFolder(folder), options.approve);
  if (!options.trust && !(await mayStart(root, folder, parsed, options.env))) return 2;
  const guessed = options.agent === undefined ? entryGuessed(parsed) : undefined;
  if (guessed !== undefined) printNote(`warning: ${guessed.message}\n`);
  const { config, secrets, problem } = withSecrets(parsed, folder);
  if (problem !== undefined) printNote(`warning: ${problem}\n`);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of stopSignals) process.once(signal, onSignal);

  const people = asksHere(options) ? terminalPeople({ input: process.stdin, output: process.stderr }) : undefined;
  const output = createOutput(options, people);
  const { env } = options;
  const surroundings = await openSurroundings(env);
  const sessions = fileSessions(sessionFolderOf(env.dataFolder, await realpath(root)));
  const place = { folder, parsed, config, secrets, root, events: output.events, sessions };
  const opened = openRunPorts(surroundings, place);
  try {
    const outcome = await execute({
      folder,
      parsed: withUsualModel(fillCardVariables(folder, parsed, env.projectEnv), env.variables),
      request: {
        runId: brandAs<RunId>(randomUUID()),
        correlationId: brandAs<CorrelationId>(randomUUID()),
        agent: options.agent,
        message: options.message,
        model: options.model,
      },
      ports: people === undefined ? opened.ports : { ...opened.ports, people },
      log: [],
      signal: stop.signal,
    });
    return report(outcome, options, output.hasBegun());
  } finally {
    people?.close();
    surroundings.urls.close();
    await Promise.all([surroundings.mcp.close(), opened.close()]);
    for (const signal of stopSignals) process.off(signal, onSignal);
  }
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** Prints how the run ended, and returns the exit code. */
function report(outcome: RunOutcome, { json, strict }: Options, hasBegun: boolean): number {
  if (outcome.status === 'completed') {
    if (!json) printResult(`${outcome.answer ?? ''}\n`);
    const failed = outcome.failedServers ?? [];
    if (failed.length > 0) printNote(`Run completed, ${failedWords(failed)}.\n`);
    for (const { message } of failed) printNote(`warning: ${firstLine(message)}\n`);
    return strict && failed.length > 0 ? 1 : 0;
  }
  if (!json) printNote(`Run ${outcome.status}: ${outcome.error?.message ?? 'stopped'}\n`);
  return hasBegun ? 1 : 2;
}

const approveModes = { all: 'approve_all', none: 'reject_all', ask: 'ask' } as const;

/** `--approve` counts in place of `approvals.mode`. */
function withMode(parsed: ParsedFolder, approve: Options['approve']): ParsedFolder {
  if (approve === undefined) return parsed;
  const approvals = { ...parsed.settings.approvals, mode: approveModes[approve] };
  return { ...parsed, settings: { ...parsed.settings, approvals } };
}

/** A script is only asked when it says so. */
function asksHere({ approve }: Options): boolean {
  return approve === 'ask' || (approve === undefined && process.stdin.isTTY === true && process.stderr.isTTY === true);
}

type Options = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    // parseArgs cannot parse an option with an optional value, so a bare `--python` gets one here.
    args: args.map((arg) => (arg === '--python' ? '--python=1' : arg)),
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      message: { type: 'string' },
      model: { type: 'string' },
      python: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      trust: { type: 'boolean', default: false },
      approve: { type: 'string' },
      strict: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      deltas: { type: 'boolean', default: false },
    },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0)
    throw new Error('Name one folder: callboard run FOLDER --message TEXT');
  if (values.message === undefined) throw new Error('Give a message: callboard run FOLDER --message TEXT');
  const { message, agent, model, trust, strict, json, deltas } = values;
  const approve = approveWords.find((word) => word === values.approve);
  if (values.approve !== undefined && approve === undefined) throw new Error('--approve takes all, none or ask.');
  const env = readCommandEnv({ python: values.python, env: values.env });
  return { folder, message, agent, model, trust, approve, strict, json, deltas, env };
}

const approveWords = ['all', 'none', 'ask'] as const;

/** Prints events: as JSON lines to stdout, or in words to stderr. */
function createOutput({ json, deltas }: Options, people: TerminalPeople | undefined) {
  let hasBegun = false;
  const narrate = createNarrator();
  const isForwarded = forwardFilter();
  const print = (event: RunEvent) => {
    hasBegun ||= event.kind === 'instance.started';
    people?.note(event);
    if (json) printJson(event);
    else if (isForwarded(event)) printNote(narrate(event));
  };
  // The stream has what models say, not what they think or are about to call.
  const printDelta = (delta: ModelDelta) => {
    if (delta.part === undefined) printJson({ kind: 'model.delta', at: systemClock.now(), ...delta });
  };
  return { events: printEvents(print, json && deltas ? printDelta : undefined), hasBegun: () => hasBegun };
}

/** Numbers events and prints each one immediately. */
function printEvents(print: (event: RunEvent) => void, printDelta: EventSink['delta']): EventSink {
  let seq = 0;
  return {
    append(body) {
      seq += 1;
      print({ seq, at: systemClock.now(), ...body });
    },
    delta: printDelta,
    async flush() {},
  };
}
