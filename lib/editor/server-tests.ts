import { createStore } from 'zustand/vanilla';
import type { KnownServers, ServerNews } from '@/lib/base/known-servers';
import type { ProbeReport } from '@/lib/base/probe-report';
import type { FilterKind } from '@/lib/cards/edit/server-filter';
import { hasBrought, saveBrought } from './asking';
import { changesBetween } from './document';
import { listedNews, pickedNews, withListing, withPicked, withServerRenamed } from './known-servers';
import type { ProjectStore } from './project-store';
import type { EditorServices } from './services';
import { createTeller } from './tell-servers';

/** The last test of a server in this session. */
export type ServerTest =
  | { readonly phase: 'running' }
  | { readonly phase: 'done'; readonly report: ProbeReport }
  /** There is no report: the request failed, was stopped, or was refused. */
  | { readonly phase: 'failed'; readonly message: string };

export interface ServerTestsState {
  readonly tests: ReadonlyMap<string, ServerTest>;
  /** What is known of servers, also from tests by others. */
  readonly known: KnownServers;
}

export type ServerTests = ReturnType<typeof createServerTests>;

/**
 * Tests servers in a worker, with the unsaved text of the project, and keeps what they listed, for every person of the project.
 * A folder that is not trusted is saved and asks for confirmation first, as a run does.
 */
export function createServerTests(
  services: Pick<EditorServices, 'probeServer' | 'readServers' | 'tellServers'>,
  project: ProjectStore,
  /** Shows what the folder would start or call. Resolves to true if that was confirmed. */
  askTrust: () => Promise<boolean>,
) {
  const store = createStore<ServerTestsState>(() => ({ tests: new Map(), known: {} }));
  const teller = createTeller(services, (known) => store.setState({ known }));
  const running = new Map<string, AbortController>();

  function show(server: string, test: ServerTest) {
    store.setState({ tests: new Map([...store.getState().tests, [server, test]]) });
  }

  function know(known: KnownServers, news: readonly ServerNews[]) {
    if (known === store.getState().known) return;
    store.setState({ known });
    void teller.tell(news);
  }

  async function ask(server: string, signal: AbortSignal) {
    const refused = hasBrought(project) ? await saveBrought(project) : undefined;
    if (refused !== undefined) return refused;
    const { saved, document, picture } = project.store.getState();
    const agent = connectingAgent(picture.drawn, server);
    const changes = changesBetween(saved.folder, document.folder);
    return await services.probeServer(server, { changes, signal, ...(agent === undefined ? {} : { agent }) });
  }

  async function confirmed(): Promise<boolean> {
    return (!project.store.getState().dirty || (await project.actions.save())) && (await askTrust());
  }

  const actions = {
    /** Tests a server. A test of the same server that still runs goes on, and no second one begins. */
    async test(server: string) {
      if (running.has(server)) return;
      const stop = new AbortController();
      running.set(server, stop);
      show(server, { phase: 'running' });
      let asked = await ask(server, stop.signal);
      if (!asked.ok && asked.notTrusted && (await confirmed())) asked = await ask(server, stop.signal);
      running.delete(server);
      if (!asked.ok) return show(server, { phase: 'failed', message: asked.message });
      const { report } = asked;
      show(server, { phase: 'done', report });
      if (!worked(report)) return;
      const { tools, resources, prompts, probedAt } = report;
      let known = withListing(store.getState().known, server, { tools, resources, prompts, probedAt });
      const news = [...listedNews(known, server)];
      // A filter that was written before the first test is compared with what that test found.
      for (const agent of filteringAgents(project.store.getState().picture.drawn, server)) {
        if (known[server]?.picked[agent] !== undefined) continue;
        known = withPicked(known, server, agent);
        news.push(...pickedNews(known, server, agent, { first: true }));
      }
      know(known, news);
    },
    stop(server: string) {
      running.get(server)?.abort();
    },
    /** Remembers that the filters of an agent fit what the server lists now. */
    accept(server: string, agent: string, kinds?: readonly FilterKind[]) {
      const { known } = store.getState();
      know(withPicked(known, server, agent, kinds), pickedNews(known, server, agent, { kinds }));
    },
    /** What is known of a server goes with its name. */
    renamed(from: string, to: string) {
      const { tests, known } = store.getState();
      const test = tests.get(from);
      if (test !== undefined && test.phase !== 'running') show(to, test);
      know(withServerRenamed(known, from, to), [{ news: 'renamed', from, to }]);
    },
    /** Reads what others have found out meanwhile. */
    load: teller.load,
  };
  return { store, actions };
}

/** True if every step of the test is done. */
export function worked({ steps }: Pick<ProbeReport, 'steps'>): boolean {
  return steps.every(({ state }) => state !== 'failed') && steps.some(({ state }) => state === 'done');
}

type Drawn = ReturnType<ProjectStore['store']['getState']>['picture']['drawn'];

/** Returns the agent whose card connects to a server that the config does not have. */
function connectingAgent({ config, cards }: Drawn, server: string): string | undefined {
  if (Object.hasOwn(config.servers, server)) return undefined;
  return cards.find((card) => card.type === 'agent' && card.mcpConnect.some(({ name }) => name === server))?.name;
}

function filteringAgents({ cards }: Drawn, server: string): readonly string[] {
  return cards.flatMap((card) => {
    if (card.type !== 'agent' && card.type !== 'router') return [];
    const has = [card.tools, card.resources, card.prompts].some((filter) => Object.hasOwn(filter, server));
    return has ? [card.name] : [];
  });
}
