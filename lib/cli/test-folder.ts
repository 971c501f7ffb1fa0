import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { FixtureMode, FixtureResult } from '@/lib/base/fixture-result';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Fixture } from '@/lib/cards/fixture';
import { fixtureNames, fixturePath, recordingPath } from '@/lib/cards/fixture-files';
import { canonicalModel } from '@/lib/cards/models/name-model';
import { soundFixtureOf } from '@/lib/cards/project/sound-fixture';
import { fixtureRequest } from '@/lib/fixtures/fixture-request';
import { judgeRubric } from '@/lib/fixtures/judge-rubric';
import { durationOf, judgeRun } from '@/lib/fixtures/judge-run';
import { withRecordedPeople } from '@/lib/fixtures/live-people';
import { makeRecording } from '@/lib/fixtures/make-recording';
import { recordingOf } from '@/lib/fixtures/read-recording';
import { emptyRecording, type Recording } from '@/lib/fixtures/recording';
import { replayPorts } from '@/lib/fixtures/replay-ports';
import { createModels } from '@/lib/models/create-models';
import type { ModelPort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { costOf } from '@/lib/trace/cost';
import { faultOf } from './fault-of';
import { printJson, printNote, printResult } from './print';
import {
  closeHere,
  type Here,
  hereOptions,
  numberedEvents,
  openHere,
  readHereOptions,
  readyFolder,
  runHere,
  withPythonValue,
} from './run-here';
import { junitOf, summaryOf, toldResult } from './test-report';

const usage = 'callboard test FOLDER [--name NAME]…';

/** As many tests run at the same time. */
const mostAtOnce = 4;

/**
 * `test FOLDER [--name NAME]… [--live] [--update] [--json] [--junit FILE] [--agent …] [--model M] [--python[=PATH]] [--env NAME]… [--trust]`:
 * runs the tests of a folder, `tests/*.fixture.yaml`, without a database. Models and tools answer from the recordings; with `--live`
 * they are asked. `--update` runs live and writes the recordings again. Results go to stdout, as text or JSON; `--junit` also writes
 * them to a file as JUnit XML. Exit code 0: all passed, 1: some failed, 2: there is nothing to run, or it could not run.
 */
export async function testFolder(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = await readOptions(args);
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
  const ready = await readyFolder(options);
  if (ready === undefined) return 2;
  const all = fixtureNames(ready.folder);
  const unknown = options.names.filter((name) => !all.includes(name));
  if (unknown.length > 0 || all.length === 0) {
    const known =
      all.length === 0
        ? `'${options.folder}' has no tests: no file tests/NAME.fixture.yaml.`
        : `Tests: ${all.join(', ')}.`;
    printNote(`${unknown.map((name) => `There is no test '${name}'. `).join('')}${known}\n`);
    return 2;
  }
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of stopSignals) process.once(signal, onSignal);
  const here = await openHere(ready, options.env);
  try {
    const names = options.names.length > 0 ? [...new Set(options.names)] : all;
    const results = await inParallel(names, async (name) => {
      const result = await runTest(here, name, options, stop.signal);
      if (!options.json) printResult(toldResult(result));
      return result;
    });
    if (options.json) printJson({ results }, 2);
    else printResult(summaryOf(results));
    if (options.junit !== undefined) await writeFile(options.junit, junitOf(results));
    return results.every(({ status }) => status === 'passed') ? 0 : 1;
  } finally {
    await closeHere(here);
    for (const signal of stopSignals) process.off(signal, onSignal);
  }
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

type Options = Awaited<ReturnType<typeof readOptions>>;

async function readOptions(args: readonly string[]) {
  const { approve: _, agent: __, ...shared } = hereOptions;
  const { values, positionals } = parseArgs({
    args: withPythonValue(args),
    allowPositionals: true,
    options: {
      ...shared,
      name: { type: 'string', multiple: true, default: [] as string[] },
      live: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      junit: { type: 'string' },
    },
  });
  const here = await readHereOptions(values, positionals, usage);
  const { name: names, live, update, json, junit } = values;
  return { ...here, names, mode: live || update ? ('live' as const) : ('replay' as const), update, json, junit };
}

/** Runs one test. Does not reject for what is wrong with the test. */
async function runTest(
  here: Here,
  name: string,
  { mode, update, model }: Pick<Options, 'mode' | 'update' | 'model'>,
  signal: AbortSignal,
): Promise<FixtureResult> {
  const { ready } = here;
  const { folder, parsed, root } = ready;
  const { fixture, issues } = soundFixtureOf(folder, name);
  if (fixture === undefined) return broken(name, mode, toldIssues(issues, fixturePath(name)));
  const read = recordingOf(folder, name);
  // A recording that is about to be written again need not be readable.
  if (read.issues.length > 0 && !update) return broken(name, mode, toldIssues(read.issues, recordingPath(name)));
  const { recording } = read;
  if (recording === undefined && mode === 'replay') {
    return broken(
      name,
      mode,
      `There is no ${recordingPath(name)}. Run 'callboard test --update --name ${name}' to record it.`,
    );
  }
  const log = await logOf(here, { fixture, recording, mode, model }, signal);
  if (update) {
    const made = makeRecording(log, parsed);
    if (!made.ok) return broken(name, mode, made.error);
    await writeFile(path.join(root, recordingPath(name)), made.value);
  }
  const judged = judgeRun(fixture, { log, mode, head: recording?.head });
  const rubric = await rubricOf(here, fixture, log, signal);
  const findings = rubric === undefined ? judged : [...judged, rubric.finding];
  const last = log.at(-1);
  const spent = (mode === 'live' && last?.kind === 'run.finished' ? (last.costUsd ?? 0) : 0) + (rubric?.costUsd ?? 0);
  return {
    name,
    mode,
    status: findings.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'passed',
    findings,
    tookMs: durationOf(log),
    ...(spent > 0 && { costUsd: spent }),
  };
}

interface Asked {
  readonly fixture: Fixture;
  readonly recording: Recording | undefined;
  readonly mode: FixtureMode;
  /** The model of `--model`, for a live run. */
  readonly model: string | undefined;
}

async function logOf(here: Here, { fixture, recording, mode, model }: Asked, signal: AbortSignal): Promise<RunEvent[]> {
  const log: RunEvent[] = [];
  const request = fixtureRequest(fixture, here.ready.folder, mode === 'replay' ? recording : undefined);
  await runHere(
    here,
    {
      correlationId: brandAs<CorrelationId>(randomUUID()),
      ...request,
      model: mode === 'live' ? (model ?? request.model) : request.model,
    },
    {
      events: numberedEvents((event) => log.push(event), undefined),
      people: undefined,
      signal,
      replace: (ports, runId) =>
        mode === 'replay' && recording !== undefined
          ? replayPorts(recording, ports, runId)
          : withRecordedPeople(ports, recording ?? emptyRecording),
    },
  );
  return log;
}

async function rubricOf(here: Here, fixture: Fixture, log: readonly RunEvent[], signal: AbortSignal) {
  const { rubric } = fixture.expect;
  if (rubric === undefined) return undefined;
  const { config, parsed } = here.ready;
  const last = log.at(-1);
  const judged = await judgeRubric(
    modelsOf(here),
    {
      rubric,
      judge: fixture.judge ?? fixture.model ?? config.defaultModel ?? parsed.config.defaultModel,
      message: fixture.message,
      answer: last?.kind === 'run.finished' ? (last.answer ?? '') : '',
      runId: brandAs<RunId>(randomUUID()),
    },
    signal,
  );
  const { usage: used, model } = judged;
  const costUsd = used && model !== undefined ? costOf(used, canonicalModel(model)) : undefined;
  return { finding: judged.finding, costUsd };
}

function modelsOf({ ready, surroundings }: Here): ModelPort {
  const { modelEnv, clock, guard } = surroundings;
  const { config, parsed } = ready;
  return createModels({ env: modelEnv, providers: config.providers, settings: parsed.settings, clock, guard });
}

function broken(name: string, mode: FixtureMode, problem: string): FixtureResult {
  return { name, mode, status: 'broken', findings: [], problem, tookMs: 0 };
}

function toldIssues(issues: readonly Issue[], file: string): string {
  const [first] = issues;
  if (first === undefined) return `${file} cannot be read.`;
  const more = issues.length > 1 ? ` And ${issues.length - 1} more: callboard check tells all.` : '';
  return `${first.file}:${first.line}:${first.column}: ${first.message}${more}`;
}

/** Keeps the order of the given ones. */
async function inParallel<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < all.length; index = next++) {
      const one = all[index];
      if (one !== undefined) results[index] = await work(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, all.length) }, lane));
  return results;
}
