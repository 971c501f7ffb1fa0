import type { FixtureRun } from '@/lib/base/fixture-result';
import { err, ok, type Result } from '@/lib/base/result';
import type { Fixture } from '@/lib/cards/fixture';
import { fixturePath, recordingPath } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import { canonicalModel } from '@/lib/cards/models/name-model';
import { soundFixtureOf } from '@/lib/cards/project/sound-fixture';
import { fixtureRequest } from '@/lib/fixtures/fixture-request';
import { judgeRubric } from '@/lib/fixtures/judge-rubric';
import { durationOf, judgeRun } from '@/lib/fixtures/judge-run';
import { withRecordedPeople } from '@/lib/fixtures/live-people';
import { recordingOf } from '@/lib/fixtures/read-recording';
import { emptyRecording, type Recording } from '@/lib/fixtures/recording';
import { replayPorts } from '@/lib/fixtures/replay-ports';
import type { ModelPort, Ports } from '@/lib/runtime/ports';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import type { RunRequest } from '@/lib/runtime/request/run-request';
import { readAllEvents } from '@/lib/store/events';
import { insertFixtureResult } from '@/lib/store/fixture-results';
import type { TakenRun } from '@/lib/store/take-run';
import { costOf } from '@/lib/trace/cost';
import type { RunContext, RunReading } from './run-context';

/** A run that is a test. */
interface OpenFixture {
  readonly request: Partial<RunRequest>;
  readonly ports: Ports;
  /** Compares the run, which has ended, with what the test expects, and stores the result. */
  judge(context: RunContext, reading: RunReading): Promise<void>;
}

/** Prepares a run that is a test. Returns `undefined` in the result for any other run, and an error for a test with a fault. */
export function openFixture(taken: TakenRun, folder: Folder, ports: Ports): Result<OpenFixture | undefined, RunError> {
  const run = taken.fixture;
  if (run === undefined) return ok(undefined);
  const read = readFixtureRun(run, folder);
  if (!read.ok) return read;
  const { fixture, recording } = read.value;
  const { attachments, conversation, ...request } = fixtureRequest(fixture, folder, recording);
  const isReplay = run.mode === 'replay' && recording !== undefined;
  return ok({
    request: { ...request, attachments, ...(isReplay && { conversation }) },
    ports: isReplay
      ? replayPorts(recording, ports, taken.request.runId)
      : withRecordedPeople(ports, recording ?? emptyRecording),
    judge: (context, reading) => judge(context, taken, { run, fixture, recording, models: ports.model }, reading),
  });
}

interface ReadFixture {
  readonly fixture: Fixture;
  readonly recording: Recording | undefined;
}

function readFixtureRun({ name, mode }: FixtureRun, folder: Folder): Result<ReadFixture, RunError> {
  const { fixture, issues } = soundFixtureOf(folder, name);
  const { recording, issues: faults } = recordingOf(folder, name);
  const [fault] = fixture === undefined ? issues : faults;
  if (fault !== undefined) {
    return err({ code: 'fixture_invalid', message: `${fault.file}:${fault.line}: ${fault.message}` });
  }
  if (fixture === undefined) {
    return err({
      code: 'fixture_invalid',
      message: `The files have no test '${name}': ${fixturePath(name)} is missing.`,
    });
  }
  if (recording === undefined && mode === 'replay') {
    const message = `${recordingPath(name)} is missing. Save a run as this test again, or run it live.`;
    return err({ code: 'fixture_invalid', message });
  }
  return ok({ fixture, recording });
}

async function judge(
  context: RunContext,
  { request, projectId, treeHash }: TakenRun,
  {
    run: { name, mode },
    fixture,
    recording,
    models,
  }: ReadFixture & { readonly run: FixtureRun; readonly models: ModelPort },
  { config }: RunReading,
): Promise<void> {
  const { runId } = request;
  const log: readonly RunEvent[] = await readAllEvents(context.store, runId);
  const last = log.at(-1);
  const finished = last?.kind === 'run.finished' ? last : undefined;
  const findings = [...judgeRun(fixture, { log, mode, head: recording?.head })];
  let costUsd = mode === 'live' ? (finished?.costUsd ?? 0) : 0;
  const { rubric } = fixture.expect;
  if (rubric !== undefined) {
    const judged = await judgeRubric(
      models,
      {
        rubric,
        judge: fixture.judge ?? fixture.model ?? config.defaultModel,
        message: fixture.message,
        answer: finished?.answer ?? '',
        runId,
      },
      AbortSignal.timeout(longestRubricMs),
    );
    findings.push(judged.finding);
    const { usage, model } = judged;
    costUsd += (usage && model !== undefined ? costOf(usage, canonicalModel(model)) : undefined) ?? 0;
  }
  await insertFixtureResult(
    context.store,
    { runId, projectId, treeHash },
    {
      name,
      mode,
      status: findings.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'passed',
      findings,
      tookMs: durationOf(log),
      ...(costUsd > 0 && { costUsd }),
    },
  );
}

/** A result that is missing a minute after the end of its run counts as lost. */
const longestRubricMs = 45_000;
