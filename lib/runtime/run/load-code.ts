import type { InstancePath } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import { agentView } from '@/lib/cards/agent-view';
import type { AgentCard, Card } from '@/lib/cards/card';
import { reachableFrom } from '@/lib/cards/project/reachable';
import { phaseCode, type RunHooks } from '@/lib/runtime/hook-layers/hook-plan';
import type { Run } from '@/lib/runtime/instance/run';
import { notWaitedFor } from '@/lib/runtime/instance/setups';
import type { HookPort } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { cardsInvalid } from '@/lib/runtime/request/validate';

/**
 * Loads the hooks and function tools of every agent the entry can reach. This happens before the first model call, so that
 * code that cannot be called is reported with its file and line before the run does any work. The instance `root` waits
 * meanwhile. Returns `undefined` when everything was loaded, or there is nothing to load.
 */
export async function loadCode(run: Run, entry: Card, root: InstancePath): Promise<RunError | undefined> {
  const { ports, scope } = run;
  const port = ports.hooks;
  if (!port || scope.reason) return undefined;
  const cards = [...reachableFrom(entry, run.cards, run.parsed.settings).values()].flatMap((card) =>
    cardsToLoad(run.hooks, agentView(card)),
  );
  if (cards.length === 0) return undefined;
  const ended = run.setups.begin(root, 'code', codeFiles(cards).join(', '));
  const fault = await faultOf(run, port, cards);
  ended(scope.reason ? notWaitedFor : fault);
  return scope.reason ? undefined : fault;
}

async function faultOf({ scope }: Run, port: HookPort, cards: readonly AgentCard[]): Promise<RunError | undefined> {
  try {
    const loading = Promise.all(cards.map((card) => port.load(card, scope.signal)));
    const issues = await scope.race<readonly (readonly Issue[])[]>(loading, () => []);
    const faults = issues.flat().filter(({ severity }) => severity === 'error');
    return faults.length === 0 ? undefined : { code: 'code_invalid', message: cardsInvalid(distinct(faults)).message };
  } catch (error) {
    return { code: 'code_invalid', message: `The code of this project cannot be loaded: ${thrownMessage(error)}` };
  }
}

/** Returns the cards to load for an agent: its own, and one with the hooks that callboard.yaml adds to its calls. */
export function cardsToLoad(hooks: Pick<RunHooks, 'codeOf'>, card: AgentCard): AgentCard[] {
  const middleware = hooks.codeOf(card, true);
  const own = card.toolHooks.form === 'chain' ? card.toolHooks.chain : [];
  const hasOwn = own.length + phaseCode(card).length + card.functionTools.length > 0;
  const bare: AgentCard = { ...card, functionTools: [], lifecycleHooks: {}, toolHooks: { form: 'none' } };
  return [
    ...(hasOwn ? [card] : []),
    ...(middleware.length > own.length
      ? [{ ...bare, toolHooks: { form: 'chain' as const, chain: middleware.slice(0, middleware.length - own.length) } }]
      : []),
  ];
}

function codeFiles(cards: readonly AgentCard[]): readonly string[] {
  const files = cards.flatMap((card) => {
    const chain = card.toolHooks.form === 'chain' ? card.toolHooks.chain : [];
    return [...card.functionTools, ...chain, ...phaseCode(card)].map(({ file }) => file);
  });
  return [...new Set(files)];
}

/** Removes duplicates, because hooks of the run are loaded with each agent. */
function distinct(issues: readonly Issue[]): Issue[] {
  const byText = new Map(issues.map((issue) => [`${issue.file}:${issue.line}:${issue.message}`, issue]));
  return [...byText.values()];
}
