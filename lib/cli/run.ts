import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { pickProjectEnv, readVariableNames } from '@/lib/base/project-env';
import { fillCardVariables } from '@/lib/cards/card-variables';
import { entryGuessed } from '@/lib/cards/entry';
import type { Folder } from '@/lib/cards/folder';
import { canonicalModel } from '@/lib/cards/models/name-model';
import { pickProviderVariables } from '@/lib/cards/models/providers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/read-folder';
import { withSecrets } from '@/lib/cards/secrets';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { systemClock } from '@/lib/jobs/system-clock';
import { createModels } from '@/lib/models/create-models';
import { forwardFilter } from '@/lib/runtime/instance/forwarding';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { ModelDelta, RunEvent } from '@/lib/runtime/record/events';
import { firstLine } from '@/lib/runtime/record/messages';
import { hiddenValues, redactEvents } from '@/lib/runtime/record/redact-events';
import { execute } from '@/lib/runtime/run/execute';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { pythonSetting } from '@/lib/sandbox/python-setting';
import { dataFolderOf, loadEnvFile } from '@/lib/server/env';
import { portOfRunningApp } from '@/lib/server/running-app';
import { hashBlob, hashBlobLater } from '@/lib/store/hash';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { ownAddresses } from '@/lib/tools/mcp/own-addresses';
import { createMcpPool } from '@/lib/tools/mcp/pool';
import { createShell } from '@/lib/tools/shell/shell';
import { createTextReader } from '@/lib/tools/urls/text-reader';
import { costOf } from '@/lib/trace/cost';
import { failedWords } from '@/lib/trace/failed-words';
import { askTrust } from './ask-trust';
import { fileSessions, sessionFolderOf } from './file-sessions';
import { createNarrator } from './narrator';
import { openProject } from './open-project';
import { printJson, printNote, printResult } from './print';
import { openTrustFile } from './trust-file';
import { withUsualModel } from './usual-model';

/**
 * `run FOLDER --message TEXT [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--trust] [--strict] [--json [--deltas]]`: the
 * same execution as the app's, without a database. `--python` is CALLBOARD_PYTHON for this run; each `--env` adds a name to
 * CALLBOARD_PROJECT_ENV. In a terminal it asks before a folder starts or calls something for the first time; `--trust` does
 * not ask.
 * The answer goes to stdout and progress to stderr; with `--json` stdout is the event log, one JSON a line, ending in
 * `run.finished`; with `--deltas` the pieces of models' text are between them, of kind `model.delta` and without `seq`.
 * A server that did not start is a warning on stderr, and with `--strict` exit 1.
 * Exit 0 answered, 1 failed or stopped, 2 nothing could be run (usage, folder, cards).
 */
export async function run(args: readonly string[]): Promise<number> {
  let options: ReturnType<typeof readOptions>;
  try {
    loadEnvFile();
    options = readOptions(args);
    if (!(await stat(options.folder)).isDirectory()) throw new Error(`${options.folder} is not a folder.`);
  } catch (error) {
    printNote(`${error instanceof Error ? error.message : error}\n`);
    return 2;
  }

  const { root, folder } = await openProject(options.folder);
  const parsed = readFolder(folder);
  if (!options.trust && !(await mayStart(root, folder, parsed))) return 2;
  const guessed = options.agent === undefined ? entryGuessed(parsed) : undefined;
  if (guessed !== undefined) printNote(`warning: ${guessed.message}\n`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());

  let began = false;
  const narrate = createNarrator();
  const isForwarded = forwardFilter();
  const print = (event: RunEvent) => {
    began ||= event.kind === 'instance.started';
    if (options.json) printJson(event);
    else if (isForwarded(event)) printNote(narrate(event));
  };
  const printDelta = (delta: ModelDelta) => printJson({ kind: 'model.delta', at: systemClock.now(), ...delta });
  const sink = printEvents(print, options.json && options.deltas ? printDelta : undefined);
  const code = createCodeHosts({ folder, python: options.python });
  const shell = process.env.CALLBOARD_SHELL === '1' ? createShell({ folder: root, env: process.env }) : undefined;
  const own = await ownAddresses({
    webPort: portOfRunningApp(process.env),
    databaseUrl: process.env.DATABASE_URL || undefined,
  });
  const pool = createMcpPool({
    clock: systemClock,
    env: process.env,
    projectEnv: options.projectEnv,
    allowPrivateUrls: process.env.CALLBOARD_ALLOW_PRIVATE_URLS,
    own,
    log: () => {},
  });
  const urls = createTextReader({ allowPrivateUrls: process.env.CALLBOARD_ALLOW_PRIVATE_URLS, own });
  const { config, secrets, problem } = withSecrets(parsed, folder);
  if (problem !== undefined) printNote(`warning: ${problem}\n`);
  const models = pickProviderVariables(process.env);
  const hidden = hiddenValues({
    models,
    databaseUrl: process.env.DATABASE_URL,
    projectEnv: options.projectEnv,
    env: process.env,
  });
  const sampling = parsed.settings.mcp.sampling === 'allow';
  try {
    const outcome = await execute({
      folder,
      parsed: withUsualModel(fillCardVariables(folder, parsed, options.projectEnv), process.env),
      request: {
        runId: brandAs<RunId>(randomUUID()),
        correlationId: brandAs<CorrelationId>(randomUUID()),
        agent: options.agent,
        message: options.message,
        model: options.model,
      },
      ports: {
        model: createModels({
          env: { variables: models, projectEnv: options.projectEnv, hasValues: true },
          providers: config.providers,
          settings: parsed.settings,
          clock: systemClock,
          guard: createAddressGuard(process.env.CALLBOARD_ALLOW_PRIVATE_URLS, { own }),
        }),
        tools: {
          mcp: pool.port({ config, root, secrets, sampling }),
          function: code.tools,
        },
        hooks: code.hooks,
        sessions: fileSessions(sessionFolderOf(dataFolderOf(process.env), await realpath(root))),
        shell,
        costOf: (usage, model) => costOf(usage, canonicalModel(model)),
        urls,
        events: redactEvents(sink, { ...hidden, inLogs: [...hidden.inLogs, ...secrets] }),
        clock: systemClock,
        hash: { now: hashBlob, later: hashBlobLater },
        newCorrelationId: () => brandAs<CorrelationId>(randomUUID()),
      },
      log: [],
      signal: stop.signal,
    });
    if (outcome.status === 'completed') {
      if (!options.json) printResult(`${outcome.answer ?? ''}\n`);
      const failed = outcome.failedServers ?? [];
      if (failed.length > 0) printNote(`Run completed, ${failedWords(failed)}.\n`);
      for (const { message } of failed) printNote(`warning: ${firstLine(message)}\n`);
      return options.strict && failed.length > 0 ? 1 : 0;
    }
    if (!options.json) printNote(`Run ${outcome.status}: ${outcome.error?.message ?? 'stopped'}\n`);
    return began ? 1 : 2;
  } finally {
    urls.close();
    await Promise.all([pool.close(), code.close(), shell?.close()]);
  }
}

/** Asks only in a terminal. */
async function mayStart(place: string, folder: Folder, parsed: ParsedFolder): Promise<boolean> {
  const terminal = { input: process.stdin, output: process.stderr };
  const file = openTrustFile(dataFolderOf(process.env));
  return await askTrust(place, listCapabilities(folder, parsed, hashBlob), { terminal, file, now: new Date() });
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    // A value is optional here, which parseArgs has no notion of.
    args: args.map((arg) => (arg === '--python' ? '--python=1' : arg)),
    allowPositionals: true,
    options: {
      agent: { type: 'string' },
      message: { type: 'string' },
      model: { type: 'string' },
      python: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      trust: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      deltas: { type: 'boolean', default: false },
    },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0)
    throw new Error('Name one folder: callboard run FOLDER --message TEXT');
  if (values.message === undefined) throw new Error('Say what to ask: callboard run FOLDER --message TEXT');
  const listed = readVariableNames([process.env.CALLBOARD_PROJECT_ENV ?? '', ...values.env].join(','));
  if (listed.problems.length > 0) throw new Error(listed.problems.join('\n'));
  return {
    folder,
    message: values.message,
    agent: values.agent,
    model: values.model,
    python: pythonSetting(values.python ?? process.env.CALLBOARD_PYTHON),
    trust: values.trust,
    strict: values.strict,
    json: values.json,
    deltas: values.deltas,
    projectEnv: pickProjectEnv(listed.names, process.env),
  };
}

/** Stamps events in order and hands each on at once; stdout is the log. */
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
