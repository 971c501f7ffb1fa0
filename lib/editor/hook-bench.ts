import { createStore, type StoreApi } from 'zustand/vanilla';
import type { HookCase, HookChoice, HookReport } from '@/lib/base/hook-report';
import {
  differences,
  expectedOf,
  hookCasePath,
  hookCasesIn,
  hookCaseText,
  type KeptHookCase,
} from '@/lib/cards/hook-cases';
import type { RecordedCall } from '@/lib/trace/recorded-call';
import { type Asking, createAsking } from './asking';
import { type BenchForm, caseOf, emptyForm, formOf, partOfCall } from './bench-form';
import { textFile } from './document';
import type { ProjectStore } from './project-store';
import type { EditorServices, Reported } from './services';

export type Verdict =
  | { readonly kind: 'running' }
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly differences: ReturnType<typeof differences> }
  | { readonly kind: 'error'; readonly message: string };

export interface HookBenchState {
  readonly open: boolean;
  readonly form: BenchForm;
  /** The name of the kept case that the form shows. */
  readonly caseName: string | undefined;
  readonly running: boolean;
  readonly report: HookReport | undefined;
  /** The case of the report. The form may have changed since. */
  readonly tried: HookCase | undefined;
  /** Why there is no report. */
  readonly error: string | undefined;
  /** The last verdict on each kept case, by name. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

type BenchStore = StoreApi<HookBenchState>;
type BenchAsking = Asking<HookCase, HookReport>;

export type HookBench = ReturnType<typeof createHookBench>;

/** The hook bench: hooks are run on one call in a worker, and calls are kept as cases (docs/hooks.md). */
export function createHookBench(
  services: Pick<EditorServices, 'runHooks'>,
  project: ProjectStore,
  /** Shows what the folder would start or call. Resolves to true if that was confirmed. */
  askTrust: () => Promise<boolean>,
) {
  const store: BenchStore = createStore<HookBenchState>(() => ({
    open: false,
    form: emptyForm,
    caseName: undefined,
    running: false,
    report: undefined,
    tried: undefined,
    error: undefined,
    verdicts: new Map(),
  }));
  const asking = createAsking((tried: HookCase, options) => services.runHooks(tried, options), project, askTrust);
  return {
    store,
    actions: {
      ...formActions(store, project),
      ...caseActions(store, project),
      ...runActions(store, project, asking),
    },
  };
}

function formActions(store: BenchStore, project: ProjectStore) {
  const nothingTried = { report: undefined, tried: undefined, error: undefined } as const;
  return {
    /** Opens the bench for an agent. A form that was begun for the agent stays. */
    open(agent: string, only: HookChoice | undefined) {
      const { form } = store.getState();
      const isSame = form.agent === agent;
      store.setState({
        open: true,
        form: { ...(isSame ? form : emptyForm), agent, only },
        ...(!isSame && { caseName: undefined, ...nothingTried }),
      });
    },
    set(part: Partial<BenchForm>) {
      store.setState({ form: { ...store.getState().form, ...part }, error: undefined });
    },
    /** Fills the form with a call of a run. */
    take(call: RecordedCall) {
      const form = { ...store.getState().form, ...partOfCall(call) };
      store.setState({ form, caseName: undefined, ...nothingTried });
    },
    openCase(name: string) {
      const kept = hookCasesIn(project.store.getState().document.folder).find((one) => one.name === name)?.kept;
      if (kept !== undefined) store.setState({ form: formOf(kept), caseName: name, ...nothingTried });
    },
  };
}

function caseActions(store: BenchStore, project: ProjectStore) {
  return {
    /** Keeps the last tried call and what its report says as a case. It is a change of the project like any other. */
    keep(name: string) {
      const { tried, report } = store.getState();
      if (tried === undefined || report === undefined) return;
      const text = hookCaseText({ ...tried, expected: expectedOf(report) });
      project.actions.edit(new Map([[hookCasePath(name), textFile(text)]]), { label: `Keep hook case ${name}` });
      store.setState({ caseName: name });
      setVerdict(store, name, { kind: 'passed' });
    },
    remove(name: string) {
      project.actions.edit(new Map([[hookCasePath(name), undefined]]), { label: `Delete hook case ${name}` });
      if (store.getState().caseName === name) store.setState({ caseName: undefined });
      setVerdict(store, name, undefined);
    },
  };
}

function runActions(store: BenchStore, project: ProjectStore, asking: BenchAsking) {
  return {
    /** Runs the hooks of the form. */
    async run() {
      const read = caseOf(store.getState().form);
      if (!read.ok) {
        store.setState({ error: read.error, report: undefined });
        return;
      }
      const signal = asking.begin();
      store.setState({ running: true, error: undefined });
      const answer = await asking.ask(read.value, signal);
      if (signal.aborted) return;
      const found = answer.ok ? { report: answer.report } : { report: undefined, error: answer.message };
      store.setState({ running: false, tried: read.value, ...found });
    },
    /** Runs all kept cases, one after another, and compares each with its expectation. */
    async runAll() {
      const files = hookCasesIn(project.store.getState().document.folder);
      const signal = asking.begin();
      store.setState({ running: true, error: undefined, verdicts: new Map() });
      for (const { name, kept } of files) {
        if (kept === undefined) {
          setVerdict(store, name, { kind: 'error', message: 'The file is no hook case. Open it under Files.' });
          continue;
        }
        setVerdict(store, name, { kind: 'running' });
        const { expected, ...tried } = kept;
        const answer = await asking.ask(tried, signal);
        if (signal.aborted) return;
        setVerdict(store, name, verdictOf(kept, answer));
      }
      store.setState({ running: false });
    },
    stop() {
      asking.stop();
      const verdicts = [...store.getState().verdicts].filter(([, { kind }]) => kind !== 'running');
      store.setState({ running: false, verdicts: new Map(verdicts) });
    },
    close() {
      asking.stop();
      store.setState({ open: false, running: false });
    },
  };
}

function setVerdict(store: BenchStore, name: string, verdict: Verdict | undefined) {
  const verdicts = new Map(store.getState().verdicts);
  if (verdict === undefined) verdicts.delete(name);
  else verdicts.set(name, verdict);
  store.setState({ verdicts });
}

function verdictOf(kept: KeptHookCase, answer: Reported<HookReport>): Verdict {
  if (!answer.ok) return { kind: 'error', message: answer.message };
  const found = differences(kept, answer.report);
  return found.length === 0 ? { kind: 'passed' } : { kind: 'failed', differences: found };
}
