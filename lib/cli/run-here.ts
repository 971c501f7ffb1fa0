import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import type { ParseArgsConfig } from 'node:util';
import { brandAs, type RunId } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { entryGuessed } from '@/lib/cards/project/entry';
import { readFolder } from '@/lib/cards/project/read-folder';
import { type ConfigWithSecrets, withSecrets } from '@/lib/cards/read/secrets';
import { fillCardVariables } from '@/lib/cards/variables/card-variables';
import { openRunPorts } from '@/lib/jobs/run-ports';
import { systemClock } from '@/lib/jobs/system-clock';
import type { PeoplePort, Ports, SessionPort } from '@/lib/runtime/ports';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { RunOutcome, RunRequest } from '@/lib/runtime/request/run-request';
import { execute } from '@/lib/runtime/run/execute';
import { type CommandEnv, readCommandEnv } from '@/lib/server/command-env';
import { folderOf } from './card-address';
import { fileSessions, sessionFolderOf } from './file-sessions';
import { openProject } from './open-project';
import { printNote } from './print';
import { mayStart, openSurroundings } from './run-surroundings';
import { withUsualModel } from './usual-model';

/* What the commands `run` and `chat` have in common: a folder on disk is run as the app does, but without a database. */

const approveWords = ['all', 'none', 'ask'] as const;

export interface HereOptions {
  readonly folder: string;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly trust: boolean;
  readonly approve: (typeof approveWords)[number] | undefined;
  readonly env: CommandEnv;
}

/** The options of both commands, for `parseArgs`. */
export const hereOptions = {
  agent: { type: 'string' },
  model: { type: 'string' },
  python: { type: 'string' },
  env: { type: 'string', multiple: true, default: [] as string[] },
  trust: { type: 'boolean', default: false },
  approve: { type: 'string' },
} satisfies ParseArgsConfig['options'];

/** `parseArgs` cannot parse an option with an optional value, so a bare `--python` gets one. */
export function withPythonValue(args: readonly string[]): string[] {
  return args.map((arg) => (arg === '--python' ? '--python=1' : arg));
}

interface GivenOptions {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly python?: string | undefined;
  readonly env: readonly string[];
  readonly trust: boolean;
  readonly approve?: string | undefined;
}

/** Checks what was given. Throws an Error with a sentence; `usage` says how to name a folder. */
export async function readHereOptions(
  { agent, model, python, env, trust, approve: given }: GivenOptions,
  [folder, ...others]: readonly string[],
  usage: string,
): Promise<HereOptions> {
  if (folder === undefined || others.length > 0) throw new Error(`Name one folder: ${usage}`);
  const approve = approveWords.find((word) => word === given);
  if (given !== undefined && approve === undefined) throw new Error('--approve takes all, none or ask.');
  const settings = readCommandEnv({ python, env });
  const place = await folderOf(folder, settings);
  if (!(await stat(place)).isDirectory()) throw new Error(`${folder} is not a folder.`);
  return { folder: place, agent, model, trust, approve, env: settings };
}

/** A folder that is ready to run. */
export interface ReadyFolder extends Pick<ConfigWithSecrets, 'config' | 'secrets'> {
  readonly root: string;
  readonly folder: Folder;
  readonly parsed: ParsedFolder;
  /** Where sessions of the folder are kept. */
  readonly sessionFolder: string;
}

/** Reads a folder, and prints its warnings. Returns `undefined` if the person does not want it to start anything. */
export async function readyFolder(options: HereOptions): Promise<ReadyFolder | undefined> {
  const { env } = options;
  const { root, folder } = await openProject(options.folder);
  const parsed = withMode(readFolder(folder), options.approve);
  if (!options.trust && !(await mayStart(root, folder, parsed, env))) return undefined;
  const guessed = options.agent === undefined ? entryGuessed(parsed) : undefined;
  if (guessed !== undefined) printNote(`warning: ${guessed.message}\n`);
  const { config, secrets } = withSecrets(parsed, folder);
  const sessionFolder = await sessionFolderOfProject(env, root);
  return { root, folder, parsed, config, secrets, sessionFolder };
}

/** Returns the folder of a project's sessions. `root` is its top folder on disk. */
export async function sessionFolderOfProject({ dataFolder }: CommandEnv, root: string): Promise<string> {
  return sessionFolderOf(dataFolder, await realpath(root));
}

const approveModes = { all: 'approve_all', none: 'reject_all', ask: 'ask' } as const;

/** `--approve` counts in place of `approvals.mode`. */
function withMode(parsed: ParsedFolder, approve: HereOptions['approve']): ParsedFolder {
  if (approve === undefined) return parsed;
  const approvals = { ...parsed.settings.approvals, mode: approveModes[approve] };
  return { ...parsed, settings: { ...parsed.settings, approvals } };
}

/** A script is only asked when it says so. */
export function asksHere({ approve }: Pick<HereOptions, 'approve'>): boolean {
  return approve === 'ask' || (approve === undefined && process.stdin.isTTY === true && process.stderr.isTTY === true);
}

/** What runs here share: servers, texts at addresses. */
export type Here = Awaited<ReturnType<typeof openHere>>;

export async function openHere(ready: ReadyFolder, env: CommandEnv) {
  const sessions: SessionPort = fileSessions(ready.sessionFolder);
  return { ready, env, surroundings: await openSurroundings(env), sessions };
}

export async function closeHere({ surroundings }: Here): Promise<void> {
  surroundings.urls.close();
  await surroundings.mcp.close();
}

/** Executes a run in this process. */
export async function runHere(
  { ready, env, surroundings, sessions }: Here,
  request: Omit<RunRequest, 'runId'>,
  {
    events,
    people,
    signal,
    replace = same,
  }: {
    readonly events: EventSink;
    readonly people: PeoplePort | undefined;
    readonly signal: AbortSignal;
    /** Changes the ports of the run before it begins. */
    readonly replace?: (ports: Ports, runId: RunId) => Ports;
  },
): Promise<RunOutcome> {
  const { root, folder, parsed, config, secrets } = ready;
  const opened = openRunPorts(surroundings, { folder, parsed, config, secrets, root, events, sessions });
  const runId = brandAs<RunId>(randomUUID());
  try {
    return await execute({
      folder,
      parsed: withUsualModel(fillCardVariables(folder, parsed, env.projectEnv), env.variables),
      request: { runId, ...request },
      ports: replace(people === undefined ? opened.ports : { ...opened.ports, people }, runId),
      log: [],
      signal,
    });
  } finally {
    await opened.close();
  }
}

function same(ports: Ports): Ports {
  return ports;
}

/** Numbers events and passes each one on immediately. */
export function numberedEvents(print: (event: RunEvent) => void, printDelta: EventSink['delta']): EventSink {
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
