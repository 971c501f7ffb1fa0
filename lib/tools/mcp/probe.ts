import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Clock } from '@/lib/base/clock';
import type {
  ProbedPrompt,
  ProbedResource,
  ProbedTool,
  ProbeReport,
  ProbeStep,
  ProbeStepName,
} from '@/lib/base/probe-report';
import type { AddressGuard } from './address-guard';
import { faultSentence, type ItemFault, listAll } from './list-all';
import type { ListedPrompt, ListedResource, ListedTemplate, ListedTool } from './list-items';
import { openSession, type Session } from './open-session';
import { createServerLog, type ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';
import { hiddenIn } from './spec-secrets';
import { messageOf, type StartFailure } from './start-failure';

export interface ProbeInput {
  readonly server: string;
  /** The settings of the server, or a string with the reason why it cannot be used. */
  readonly spec: ServerSpec | string;
  readonly clock: Clock;
  readonly guard: AddressGuard;
  /** The time limit for starting with the handshake, and for each list. */
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reaches a server with the code of a run, lists what it offers, and ends it. Never throws: a failure is a step of the
 * report. A process of its own is started, so calls of runs are not disturbed.
 */
export async function probeServer(input: ProbeInput): Promise<ProbeReport> {
  const { server, spec, clock } = input;
  const steps = stepsOf(clock);
  const probedAt = clock.now();
  if (typeof spec === 'string') {
    steps.fail('resolve', spec);
    return reportOf(server, steps.all('start'), { why: spec, probedAt });
  }
  const reach = spec.transport === 'stdio' ? 'start' : 'connect';
  steps.done('resolve', spec.shown);
  const lines: string[] = [];
  const log = createServerLog({
    serverName: server,
    secrets: () => hiddenIn(spec),
    clock,
    emit: ({ message }) => {
      lines.push(message);
      if (lines.length > mostLines) lines.shift();
    },
  });
  const opened = await open(input, spec, log, () => steps.done(reach));
  if (!opened.ok) {
    const { failure } = opened;
    if (failure.stage === 'initialize') steps.failAfter(reach, 'initialize', failure.message);
    else steps.fail(reach, failure.message);
    const { why, needsSignIn } = failure;
    return reportOf(server, steps.all(reach), { why, probedAt, log: lines, ...(needsSignIn && { needsSignIn }) });
  }
  const { session } = opened;
  steps.done('initialize');
  const stop = () => void session.close();
  input.signal.addEventListener('abort', stop, { once: true });
  try {
    const { faults, ...all } = await listEverything(session.client, input.connectTimeoutMs);
    const listed = bounded(all);
    steps.done('list');
    const said = faults.map((fault) => log.redact(faultSentence(server, fault)));
    return reportOf(server, steps.all(reach), {
      ...listed,
      ...(said.length > 0 && { faults: said }),
      log: lines,
      probedAt,
      ...infoOf(session.client),
    });
  } catch (error) {
    const why = log.redact(session.lost ?? messageOf(error));
    steps.fail('list', `Server '${server}' did not list what it offers: ${why}.`);
    return reportOf(server, steps.all(reach), { why, probedAt, log: lines });
  } finally {
    input.signal.removeEventListener('abort', stop);
    await session.close();
  }
}

const mostLines = 200;

type Opened =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly failure: Pick<StartFailure, 'stage' | 'message' | 'why' | 'needsSignIn'> };

async function open(input: ProbeInput, spec: ServerSpec, log: ServerLog, onReached: () => void): Promise<Opened> {
  const { clock, guard, signal, connectTimeoutMs } = input;
  const opened = await openSession(
    spec,
    log,
    { ms: connectTimeoutMs, signal },
    {
      onListChanged: () => undefined,
      onLost: () => undefined,
      sample: () => undefined,
      ask: () => undefined,
      onReached,
    },
    { clock, guard },
  );
  return opened.ok ? { ok: true, session: opened.value } : { ok: false, failure: opened.error };
}

interface Listed {
  readonly tools: readonly ProbedTool[];
  readonly resources: readonly ProbedResource[];
  readonly prompts: readonly ProbedPrompt[];
  readonly leftOut?: string;
}

async function listEverything(
  client: Client,
  timeout: number,
): Promise<Listed & { readonly faults: readonly ItemFault[] }> {
  const offers = client.getServerCapabilities() ?? {};
  const none = { items: [], faults: [] };
  const tools = offers.tools ? await listAll(client, 'tools', { timeout }) : none;
  const resources = offers.resources ? await listAll(client, 'resources', { timeout }) : none;
  // A server may have resources and no templates of them.
  const templates = offers.resources ? await listAll(client, 'templates', { timeout }).catch(() => none) : none;
  const prompts = offers.prompts ? await listAll(client, 'prompts', { timeout }) : none;
  return {
    tools: tools.items.map(toolOf),
    resources: [...resources.items.map(resourceOf), ...templates.items.map(templateOf)],
    prompts: prompts.items.map(promptOf),
    faults: [tools, resources, templates, prompts].flatMap(({ faults }) => faults).slice(0, mostFaults),
  };
}

function toolOf({ name, title, description = title, inputSchema, annotations }: ListedTool): ProbedTool {
  return { name, description, inputSchema, readOnly: annotations.readOnlyHint === true };
}

function resourceOf({ uri, name, description, mimeType }: ListedResource): ProbedResource {
  return { uri, name, description, mimeType };
}

function templateOf({ uriTemplate, name, description, mimeType }: ListedTemplate): ProbedResource {
  return { uri: uriTemplate, name, description, mimeType };
}

function promptOf({ name, description, arguments: given }: ListedPrompt): ProbedPrompt {
  return { name, description, arguments: given.map((one) => ({ name: one.name, required: one.required === true })) };
}

/** The largest number of tools, of resources and of prompts in a report. */
const mostItems = 1_000;
const mostChars = 2_000_000;
/** The largest number of items with a fault in a report. */
const mostFaults = 100;

/** Keeps a report small enough to store and to show. Schemas are left out before tools are. */
function bounded(listed: Listed): Listed {
  const { tools, resources, prompts } = listed;
  const cut = { tools: few(tools), resources: few(resources), prompts: few(prompts) };
  const isCut =
    tools.length + resources.length + prompts.length > cut.tools.length + cut.resources.length + cut.prompts.length;
  const items = isCut
    ? `The server lists more than ${mostItems} things of a kind; the first ${mostItems} are shown.`
    : undefined;
  if (JSON.stringify(cut).length <= mostChars) return { ...cut, ...(items && { leftOut: items }) };
  const plain = {
    tools: cut.tools.map(({ name, readOnly }) => ({ name: short(name), inputSchema: { type: 'object' }, readOnly })),
    resources: cut.resources.map(({ uri, name }) => ({ uri: short(uri), name: short(name) })),
    prompts: cut.prompts.map(({ name }) => ({ name: short(name), arguments: [] })),
  };
  return { ...plain, leftOut: `What the server lists is too long; only names are shown.${items ? ` ${items}` : ''}` };
}

function few<T>(items: readonly T[]): readonly T[] {
  return items.slice(0, mostItems);
}

function short(text: string): string {
  return text.slice(0, 500);
}

function infoOf(client: Client): Pick<ProbeReport, 'serverInfo'> {
  const info = client.getServerVersion();
  return info ? { serverInfo: { name: short(info.name), version: short(info.version) } } : {};
}

function reportOf(
  server: string,
  steps: readonly ProbeStep[],
  found: Partial<Omit<ProbeReport, 'server' | 'steps'>> & Pick<ProbeReport, 'probedAt'>,
): ProbeReport {
  return { server, steps, log: [], tools: [], resources: [], prompts: [], ...found };
}

/** Times steps that follow each other. */
function stepsOf(clock: Clock) {
  const found = new Map<ProbeStepName, ProbeStep>();
  let last: number = clock.now();
  const end = (name: ProbeStepName, state: 'done' | 'failed', message?: string) => {
    if (found.has(name)) return;
    const now = clock.now();
    found.set(name, { name, state, ms: now - last, ...(message !== undefined && { message }) });
    last = now;
  };
  return {
    done: (name: ProbeStepName, message?: string) => end(name, 'done', message),
    fail(name: ProbeStepName, message: string) {
      // A process that starts and ends at once had counted as started.
      const started = found.get(name);
      if (started !== undefined) {
        last -= started.ms;
        found.delete(name);
      }
      end(name, 'failed', message);
    },
    failAfter(reach: ProbeStepName, name: ProbeStepName, message: string) {
      end(reach, 'done');
      end(name, 'failed', message);
    },
    /** Lists all steps in their order. The steps after a failed one are skipped. */
    all(reach: 'start' | 'connect'): readonly ProbeStep[] {
      const names: readonly ProbeStepName[] = ['resolve', reach, 'initialize', 'list'];
      return names.map((name) => found.get(name) ?? { name, state: 'skipped', ms: 0 });
    },
  };
}
