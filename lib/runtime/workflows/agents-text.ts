import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import { membersOf } from '@/lib/cards/read/members';
import { childDescription } from '@/lib/runtime/delegation/child-route';
import type { Instance } from '@/lib/runtime/instance/instance';
import { readySurface } from '@/lib/runtime/instance/ready-surface';
import type { Surface } from '@/lib/runtime/surface/route';

/** What the instruction of a workflow says beside its card's text. */
interface AgentsPrompt {
  readonly agents: readonly string[];
  /** Puts the described agents where the card's instruction asks for them. */
  fill(instruction: string, agents: string): string;
  /** The instruction for a card that has none. */
  readonly usual: string;
  /** Comes last, whatever the card says. */
  readonly rules: string;
}

/**
 * Makes the instruction of a workflow whose model chooses among agents: the card's own, or the usual one, with the agents.
 * It stays the same in all model calls, although the tools of agents may change meanwhile. `undefined` when the instance was
 * cancelled.
 */
export function agentsInstruction(
  instance: Instance,
  { agents, fill, usual, rules }: AgentsPrompt,
): () => Promise<string | undefined> {
  const { plan, scope } = instance;
  let made: Promise<string | undefined> | undefined;
  return () => {
    made ??= make();
    return made;
  };

  async function make(): Promise<string | undefined> {
    const own = await readySurface(instance);
    const text = own && (await scope.race<string | undefined>(plan.instruction(own), () => undefined));
    const described = text === undefined ? undefined : await describeAgents(instance, agents);
    if (text === undefined || described === undefined) return undefined;
    const listed = `<agents>\n${described}\n</agents>`;
    const filled = text.trim() === '' ? usual : fill(text, listed);
    const told = filled.includes(listed) ? filled : `${filled}\n\nThese are the agents, one on each line:\n${listed}`;
    return `${told}\n\n${rules}`;
  }
}

/**
 * Describes the agents that a workflow's model may choose, one line of JSON for each: its name, its description, and its tools,
 * or the agents that a workflow calls. `undefined` when the instance was cancelled meanwhile.
 */
async function describeAgents(instance: Instance, names: readonly string[]): Promise<string | undefined> {
  const { run } = instance;
  const agents = [...new Set(names)].flatMap((name) => run.cards.get(name) ?? []);
  const surfaces = await Promise.all(
    agents.map((card) => readySurface({ ...instance, plan: run.planOf(agentView(card)) })),
  );
  const lines: string[] = [];
  for (const [index, card] of agents.entries()) {
    const surface = surfaces[index];
    if (!surface) return undefined;
    lines.push(JSON.stringify(descriptionOf(instance, card, surface)));
  }
  return lines.join('\n');
}

function descriptionOf({ run, spec }: Instance, card: Card, { tools }: Surface) {
  const description = childDescription(card, delegationOptions(run.parsed.settings, spec.card.name, card.name));
  const { name } = card;
  const calls = card.type === 'agent' ? [] : [...new Set(membersOf(card))];
  if (calls.length > 0) return { name, description, calls };
  if (tools.length === 0) return { name, description };
  return { name, description, tools: tools.map((tool) => ({ name: tool.name, does: firstWords(tool.description) })) };
}

/** The first line of a tool's description, cut to 160 characters. */
function firstWords(description: string): string {
  const line = description.trim().split('\n', 1)[0] ?? '';
  const characters = [...line.slice(0, 321)];
  return characters.length > 160 ? `${characters.slice(0, 160).join('')}...` : line;
}
