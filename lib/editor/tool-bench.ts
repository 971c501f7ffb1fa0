import { createStore, type StoreApi } from 'zustand/vanilla';
import type { JsonObject } from '@/lib/base/json';
import type { ArgumentProblem, ToolReport, ToolTry } from '@/lib/base/tool-report';
import type { RecordedCall } from '@/lib/trace/recorded-call';
import { type Asking, createAsking } from './asking';
import type { ProjectStore } from './project-store';
import type { EditorServices } from './services';

/** A tool of an agent, by the name that its model sees. A function has no server. */
export interface ToolChoice {
  readonly agent: string;
  readonly tool: string;
  readonly server: string | undefined;
}

/** What is known of a tool's arguments. */
export type KnownTool = Pick<ToolReport, 'description' | 'inputSchema'>;

export interface ToolBenchState {
  readonly open: boolean;
  readonly choice: ToolChoice | undefined;
  /** The arguments as JSON text; `undefined` until somebody has typed or taken some. */
  readonly text: string | undefined;
  /** Counts how often the text was replaced as a whole. */
  readonly filled: number;
  readonly running: 'look up' | 'call' | undefined;
  /** What a worker told of the chosen tool. */
  readonly known: KnownTool | undefined;
  readonly report: ToolReport | undefined;
  readonly error: TryError | undefined;
}

/** Why there is no report. */
export interface TryError {
  readonly message: string;
  /** The code of the refusal, such as `approval_needed`. */
  readonly code: string | undefined;
  /** What is wrong with the arguments. */
  readonly problems?: readonly ArgumentProblem[] | undefined;
}

type BenchStore = StoreApi<ToolBenchState>;
type BenchAsking = Asking<ToolTry, ToolReport>;

export type ToolBench = ReturnType<typeof createToolBench>;

const stopped = { message: 'It was stopped. The tool may have done its work, or a part of it.', code: 'cancelled' };
const nothingTried = { running: undefined, report: undefined, error: undefined } as const;
const noTool = { choice: undefined, text: undefined, known: undefined, ...nothingTried } as const;

/** The tool bench: a tool of an agent is called once in a worker, without a model and without hooks (docs/code.md). */
export function createToolBench(
  services: Pick<EditorServices, 'tryTool'>,
  project: ProjectStore,
  /** Shows what the folder would start or call. Resolves to true if that was confirmed. */
  askTrust: () => Promise<boolean>,
) {
  const store: BenchStore = createStore<ToolBenchState>(() => ({ open: false, filled: 0, ...noTool }));
  const asking = createAsking((tried: ToolTry, options) => services.tryTool(tried, options), project, askTrust);
  const choose = (choice: ToolChoice) => {
    asking.stop();
    store.setState(({ filled }) => ({ ...noTool, choice, filled: filled + 1 }));
  };
  return {
    store,
    actions: {
      /** Opens the bench for a tool. Arguments that were typed for the same tool stay. */
      open(choice: ToolChoice) {
        if (!isSame(choice, store.getState().choice)) choose(choice);
        // The files may have changed since it was looked up.
        store.setState({ open: true, known: undefined });
      },
      choose,
      type: (text: string) => store.setState({ text, error: undefined }),
      /** Fills in the arguments of a call of a run. */
      take({ arguments: args }: RecordedCall) {
        asking.stop();
        const text = typeof args === 'string' ? args : JSON.stringify(args, null, 2);
        store.setState(({ filled }) => ({ text, filled: filled + 1, ...nothingTried }));
      },
      ...askingActions(store, asking),
      close() {
        asking.stop();
        store.setState(({ running, error }) => ({
          open: false,
          running: undefined,
          error: running === 'call' ? stopped : error,
        }));
      },
    },
  };
}

function askingActions(store: BenchStore, asking: BenchAsking) {
  async function ask(running: 'look up' | 'call', part: Partial<ToolTry>, mayAsk: boolean) {
    const { choice } = store.getState();
    if (choice === undefined) return;
    const { agent, tool, server } = choice;
    const signal = asking.begin();
    store.setState({ running, error: undefined, ...(running === 'call' && { report: undefined }) });
    const answer = await asking.ask({ agent, tool, ...(server !== undefined && { server }), ...part }, signal, mayAsk);
    if (signal.aborted) return;
    if (!answer.ok) {
      const { message, code, problems } = answer;
      store.setState({ running: undefined, error: { message, code, problems } });
      return;
    }
    const { report } = answer;
    const known = { description: report.description, inputSchema: report.inputSchema };
    store.setState({ running: undefined, known, ...(running === 'call' && { report }) });
  }
  return {
    /** Reads the arguments of the tool from its code or its server. Only with `mayAsk` a question about trust is shown. */
    lookUp: (mayAsk: boolean) => ask('look up', {}, mayAsk),
    /** Calls the tool. `unchecked` sends arguments that do not fit; with `approve` the person approves the call. */
    call: (args: JsonObject, options: { readonly unchecked?: boolean; readonly approve?: boolean } = {}) =>
      ask(
        'call',
        {
          arguments: args,
          ...(options.unchecked === true && { unchecked: true }),
          ...(options.approve === true && { approve: true }),
        },
        true,
      ),
    stop() {
      asking.stop();
      const { running, error } = store.getState();
      store.setState({ running: undefined, error: running === 'call' ? stopped : error });
    },
  };
}

function isSame(a: ToolChoice, b: ToolChoice | undefined): boolean {
  return b !== undefined && a.agent === b.agent && a.tool === b.tool && a.server === b.server;
}
