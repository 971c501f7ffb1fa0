import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { Settings } from '@/lib/cards/settings';
import type { RunEvent } from '@/lib/runtime/record/events';
import { AgentRun } from '@/lib/runtime/sub-agents/agent-run';
import type { SuspendedResult } from '@/lib/runtime/sub-agents/sub-agent-result';
import { fakeClock } from './fake-clock';
import { type FakeHook, fakeHooks, hookRef } from './fake-hooks';
import { type FakeTool, fakeTools } from './fake-tools';
import { type GraphOptions, graphOf } from './graph-of';
import { memorySessions } from './memory-sessions';
import { type ScriptedModel, scriptedModel, type TestScript } from './scripted-model';

export interface ProgramOptions {
  /** `lead > kid` by default. Every edge has both switches on unless `settings` says otherwise. */
  readonly graph?: string;
  readonly scripts: Readonly<Record<string, TestScript>>;
  readonly settings?: Partial<Settings>;
  /** Phase hooks by agent, then by phase. */
  readonly hooks?: Readonly<Record<string, Readonly<Record<string, FakeHook>>>>;
  /** Fields of cards that differ from the defaults, by agent. */
  readonly cards?: GraphOptions['cards'];
  /** Tools beside `box__send` and `work`. */
  readonly tools?: Readonly<Record<string, FakeTool>>;
  readonly folder?: Folder;
  store?(events: readonly RunEvent[]): Promise<void>;
}

export const whatSchema = { type: 'object', properties: { what: { type: 'string' } } };

/** Calls of `box__send` need consent, and people give the results of `lookup`. */
const asking: Partial<Settings> = {
  approvals: { rules: [{ tools: ['box__*'], effect: 'ask' }] },
  external_tools: { lookup: { description: 'Looks up.', agents: ['kid', 'lead', 'deep'], input_schema: whatSchema } },
};

/** A program that embeds the runtime. `restart` goes on in a new process, with what was stored as JSON. */
export function programOf(options: ProgramOptions) {
  const { scripts, hooks = {}, store, tools = {}, folder = new Map() } = options;
  const parsed = graphWith(options);
  const clock = fakeClock(0);
  const sent: string[] = [];
  const models: ScriptedModel[] = [];
  const sessions = memorySessions();
  const phases = fakeHooks(
    Object.fromEntries(
      Object.entries(hooks).flatMap(([agent, byPhase]) =>
        Object.entries(byPhase).map(([phase, hook]) => [hookName(agent, phase), hook]),
      ),
    ),
  );
  let ids = 0;
  const open = (log: readonly RunEvent[], results: unknown) => {
    const model = scriptedModel(scripts, clock);
    models.push(model);
    return new AgentRun({
      folder,
      parsed,
      request,
      clock,
      ports: (events) => ({
        events,
        model,
        tools: { mcp: toolsThatNote(sent, tools) },
        hooks: phases,
        sessions,
        clock,
        newCorrelationId: () => brandAs<CorrelationId>(`c${++ids}`),
      }),
      log,
      results,
      ...(store && { store }),
    });
  };
  let run = open([], undefined);
  return {
    sent,
    clock,
    /** The requests to models, in all processes. */
    asked: () => models.flatMap(({ requests }) => requests),
    get run() {
      return run;
    },
    call: () => clock.runUntil(run.call()),
    restart(log: readonly RunEvent[] = run.log) {
      run = open(JSON.parse(JSON.stringify(log)), JSON.parse(JSON.stringify(run.saved())));
    },
  };
}

const request = {
  runId: brandAs<RunId>('run'),
  correlationId: brandAs<CorrelationId>('c0'),
  agent: undefined,
  message: 'go',
  model: undefined,
};

/** The cards of a graph, with its phase hooks, and with both switches on at each edge. */
function graphWith({ graph = 'lead > kid', hooks = {}, settings, cards: given = {} }: ProgramOptions): ParsedFolder {
  const edges = edgesOf(graph);
  const cards = Object.entries(hooks).map(([agent, byPhase]) => {
    const phases = Object.keys(byPhase).map((phase) => [phase, hookRef(hookName(agent, phase))]);
    return [agent, { toolHooks: { form: 'phases' as const, phases: Object.fromEntries(phases) } }] as const;
  });
  const delegations = edges.map(([parent, children]) => {
    const options = { enable_hitl: true, session: 'addressed' as const };
    return [parent, Object.fromEntries(children.map((child) => [child, options]))] as const;
  });
  return graphOf(graph, {
    cards: { ...given, ...Object.fromEntries(cards) },
    settings: {
      delegations: Object.fromEntries(delegations),
      enable_sub_agent_hitl: Object.fromEntries(edges.map(([parent]) => [parent, true])),
      ...asking,
      ...settings,
    },
  });
}

function hookName(agent: string, phase: string): string {
  return `${agent}_${phase}`;
}

/** `box__send` notes in `sent` to whom. */
function toolsThatNote(sent: string[], more: Readonly<Record<string, FakeTool>>) {
  return fakeTools({
    ...more,
    box__send: (args) => {
      sent.push(String(args.to));
      return `sent to ${args.to}`;
    },
    work: () => 'worked',
  });
}

/** Returns a suspended result by the name of its tool. */
export function resultOf(results: readonly SuspendedResult[], name: string): SuspendedResult {
  const found = results.find((one) => one.name === name);
  if (!found) throw new Error(`Nothing is suspended at ${name}.`);
  return found;
}

function edgesOf(graph: string): (readonly [string, readonly string[]])[] {
  return graph
    .split(';')
    .map((line) => line.split('>').map((part) => part.trim()))
    .flatMap(([parent = '', children]) =>
      children ? [[parent, children.split(',').map((one) => one.trim())] as const] : [],
    );
}
