import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { brandAs, type CorrelationId } from '@/lib/base/ids';
import { marksOf, type RunMarks } from '@/lib/base/run-marks';
import { runMarks } from '@/lib/base/run-marks-fields';
import { valueSentence } from '@/lib/base/value-advice';
import { systemClock } from '@/lib/jobs/system-clock';
import { forwardFilter } from '@/lib/runtime/instance/forwarding';
import type { ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import { firstLine } from '@/lib/runtime/record/messages';
import type { RunOutcome } from '@/lib/runtime/request/run-request';
import { failedWords } from '@/lib/trace/failed-words';
import { faultOf } from './fault-of';
import { createNarrator } from './narrator';
import { printJson, printNote, printResult } from './print';
import {
  asksHere,
  closeHere,
  hereOptions,
  numberedEvents,
  openHere,
  readHereOptions,
  readyFolder,
  runHere,
  withPythonValue,
} from './run-here';
import { type TerminalPeople, terminalPeople } from './terminal-people';

/**
 * `run FOLDER --message TEXT [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--trust] [--approve all|none|ask] [--strict]
 * [--json [--deltas]] [--user ID] [--tag NAME]… [--metadata NAME=VALUE]…`:
 * executes a run as the app does, but without a database. `--python` replaces CALLBOARD_PYTHON; each `--env` adds a name to
 * CALLBOARD_PROJECT_ENV. In a terminal it asks before a folder starts or calls something for the first time, unless `--trust`
 * is given.
 * `--approve ask` asks in the terminal what the run asks people (the default in a terminal), `all` approves every call, `none`
 * denies it.
 * The answer goes to stdout, progress to stderr. With `--json`, stdout is the event log, one JSON object per line, which ends
 * with `run.finished`. With `--deltas` it also has the text of models as it arrives: `model.delta` events without `seq`.
 * User, tags and metadata are written to the first event, so that the run is found by them where its log is imported.
 * A server that did not start is a warning on stderr, and exit code 1 with `--strict`.
 * Exit code 0: answered, 1: failed or stopped, 2: the run could not start (usage, folder, cards).
 */
export async function run(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = await readOptions(args);
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
  const ready = await readyFolder(options);
  if (ready === undefined) return 2;
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of stopSignals) process.once(signal, onSignal);

  const people = asksHere(options) ? terminalPeople({ input: process.stdin, output: process.stderr }) : undefined;
  const output = createOutput(options, people);
  const here = await openHere(ready, options.env);
  try {
    const { agent, message, model, marks } = options;
    const request = { correlationId: brandAs<CorrelationId>(randomUUID()), agent, message, model, marks };
    const outcome = await runHere(here, request, { events: output.events, people, signal: stop.signal });
    return report(outcome, options, output.hasBegun());
  } finally {
    people?.close();
    await closeHere(here);
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

type Options = Awaited<ReturnType<typeof readOptions>>;

async function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: withPythonValue(args),
    allowPositionals: true,
    options: {
      ...hereOptions,
      message: { type: 'string' },
      strict: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      deltas: { type: 'boolean', default: false },
      user: { type: 'string' },
      tag: { type: 'string', multiple: true, default: [] as string[] },
      metadata: { type: 'string', multiple: true, default: [] as string[] },
    },
  });
  const here = await readHereOptions(values, positionals, 'callboard run FOLDER --message TEXT');
  const { message, strict, json, deltas } = values;
  if (message === undefined) throw new Error('Give a message: callboard run FOLDER --message TEXT');
  return { ...here, message, strict, json, deltas, marks: readMarks(values) };
}

interface GivenMarks {
  readonly user?: string | undefined;
  readonly tag: readonly string[];
  /** Entries `NAME=VALUE`. */
  readonly metadata: readonly string[];
}

/** Reads what is said of the run. Throws an Error with a sentence. */
function readMarks({ user, tag, metadata }: GivenMarks): RunMarks | undefined {
  const entries = metadata.map((entry) => {
    const at = entry.indexOf('=');
    if (at < 1) throw new Error(`--metadata takes NAME=VALUE, and got ${JSON.stringify(entry)}.`);
    return [entry.slice(0, at), entry.slice(at + 1)] as const;
  });
  const read = runMarks.safeParse({ user, tags: tag, metadata: Object.fromEntries(entries) });
  if (!read.success) {
    const [issue] = read.error.issues;
    const [field, entry] = issue?.path ?? [];
    const message = issue === undefined ? 'cannot be read.' : valueSentence(issue);
    const flag = field === 'metadata' && entry !== undefined ? `metadata ${String(entry)}` : String(field);
    throw new Error(`--${field === 'tags' ? 'tag' : flag}: ${message}`);
  }
  const marks = marksOf(read.data);
  return Object.keys(marks).length === 0 ? undefined : marks;
}

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
  return { events: numberedEvents(print, json && deltas ? printDelta : undefined), hasBegun: () => hasBegun };
}
