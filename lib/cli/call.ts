import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { fillCardVariables } from '@/lib/cards/variables/card-variables';
import { openRunPorts } from '@/lib/jobs/run-ports';
import { systemClock } from '@/lib/jobs/system-clock';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { RunRequest } from '@/lib/runtime/request/run-request';
import { AgentRun } from '@/lib/runtime/sub-agents/agent-run';
import { readCommandEnv } from '@/lib/server/command-env';
import { readCallState, writeCallState } from './call-state';
import { folderOf } from './card-address';
import { faultOf } from './fault-of';
import { fileSessions, sessionFolderOf } from './file-sessions';
import { openProject } from './open-project';
import { printJson, printNote } from './print';
import { mayStart, openSurroundings } from './run-surroundings';
import { lockFile } from './state-lock';
import { readSubmitted } from './submitted-results';
import { withUsualModel } from './usual-model';

/**
 * `call FOLDER --state FILE [--message TEXT] [--submit FILE] [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--trust]`:
 * begins a run, or goes on with the one in the state file, and answers its questions as a program does (docs/delegation.md). A new
 * run needs a message. `--submit` names a file with results for suspended calls (./submitted-results.ts). The reply is one JSON
 * object on stdout.
 * Exit code 0: answered or suspended, 1: failed or stopped, 2: it could not go on (usage, folder, a result that is refused).
 */
export async function call(args: readonly string[]): Promise<number> {
  let unlock = () => {};
  try {
    const options = readOptions(args);
    const folder = await folderOf(options.folder, options.env);
    if (!(await stat(folder)).isDirectory()) throw new Error(`${options.folder} is not a folder.`);
    unlock = lockFile(options.state);
    return await goOn({ ...options, folder });
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  } finally {
    unlock();
  }
}

async function goOn(options: Options): Promise<number> {
  const { env, state } = options;
  const { root, folder } = await openProject(options.folder);
  const parsed = readFolder(folder);
  if (!options.trust && !(await mayStart(root, folder, parsed, env))) return 2;
  const { config, secrets } = withSecrets(parsed, folder);
  const saved = await readCallState(state);
  const surroundings = await openSurroundings(env);
  const sessions = fileSessions(sessionFolderOf(env.dataFolder, await realpath(root)));
  let close = async () => {};
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of stopSignals) process.once(signal, onSignal);
  try {
    const run: AgentRun = new AgentRun({
      folder,
      parsed: withUsualModel(fillCardVariables(folder, parsed, env.projectEnv), env.variables),
      request: requestOf(options, saved.log),
      clock: systemClock,
      ports(events) {
        const opened = openRunPorts(surroundings, { folder, parsed, config, secrets, root, events, sessions });
        close = () => opened.close();
        return opened.ports;
      },
      log: saved.log,
      results: saved.results,
      async store() {
        save();
      },
      signal: stop.signal,
    });
    const save = () => writeCallState(state, run.log, run.saved());
    const submitted = options.submit === undefined ? [] : await readSubmitted(options.submit);
    for (const [id, results] of submitted) run.submitResults(id, results);
    save();
    const reply = await run.call();
    save();
    printJson(reply);
    return reply.status === 'completed' || reply.status === 'suspended' ? 0 : 1;
  } finally {
    surroundings.urls.close();
    await Promise.all([surroundings.mcp.close(), close()]);
    for (const signal of stopSignals) process.off(signal, onSignal);
  }
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** A run that goes on is asked for as it was when it began. */
function requestOf({ agent, message, model }: Options, log: readonly RunEvent[]): RunRequest {
  const begun = log.find((event) => event.kind === 'run.started');
  if (begun) {
    if (message !== undefined) throw new Error("The run of the state file has begun. Go on without '--message'.");
    const { runId, correlationId, entryAgent, leftOut } = begun;
    return { runId, correlationId, agent: entryAgent, message: begun.message, model: begun.model, leftOut };
  }
  if (message === undefined) throw new Error('Give a message: callboard call FOLDER --state FILE --message TEXT');
  const runId = brandAs<RunId>(randomUUID());
  return { runId, correlationId: brandAs<CorrelationId>(randomUUID()), agent, message, model };
}

type Options = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: args.map((arg) => (arg === '--python' ? '--python=1' : arg)),
    allowPositionals: true,
    options: {
      state: { type: 'string' },
      submit: { type: 'string' },
      agent: { type: 'string' },
      message: { type: 'string' },
      model: { type: 'string' },
      python: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      trust: { type: 'boolean', default: false },
    },
  });
  const [folder, ...others] = positionals;
  const { state, submit, agent, message, model, trust } = values;
  if (folder === undefined || others.length > 0 || state === undefined) {
    throw new Error('Name one folder and a state file: callboard call FOLDER --state FILE --message TEXT');
  }
  const env = readCommandEnv({ python: values.python, env: values.env });
  return { folder, state, submit, agent, message, model, trust, env };
}
