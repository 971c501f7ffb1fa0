import type { AgentCard, CodeRef } from '@/lib/cards/card';
import { adapterCode } from './adapter-code';

/** A card and the Python hooks of its list. */
export interface ChainOfCard {
  readonly card: AgentCard;
  readonly hooks: readonly CodeRef[];
}

/** The two functions of an adapter to which a card refers. */
export interface AdapterNames {
  readonly before: string;
  readonly after: string;
}

/**
 * Writes the adapter of a folder of cards: a Python module with two phase hooks for each chain. `up` is the path from the
 * module to the project's folder, in `..` steps. The names of the functions depend on the name of the card only.
 */
export function writeAdapter(
  chains: readonly ChainOfCard[],
  up: string,
): { readonly text: string; readonly names: ReadonlyMap<string, AdapterNames> } {
  const names = new Map<string, AdapterNames>();
  const taken = new Set<string>();
  const parts: string[] = [];
  for (const chain of chains) {
    const stem = freeName(chain.card.name, taken);
    names.set(chain.card.file, { before: `${stem}_before_tool_call`, after: `${stem}_after_tool_call` });
    parts.push(chainCode(chain, stem));
  }
  const root = `ROOT = os.path.realpath(os.path.join(HERE, ${quoted(up)}))\n`;
  return { text: `${head}${adapterCode}\n\n${root}\n\n${parts.join('\n\n')}`, names };
}

const head = `"""Made by Callboard's export for fast-agent: runs the lists of tool_hooks that the cards of this folder had. An export
writes it again, so change the hooks it names instead."""

`;

function chainCode({ card, hooks }: ChainOfCard, stem: string): string {
  const servers = [...card.servers, ...card.mcpConnect.map((entry) => entry.name)];
  const functions = card.functionTools.map((tool) => tool.functionName);
  const constant = `${stem.toUpperCase()}_CHAIN`;
  return `${constant} = _Chain(
    hooks=${list(hooks.map((hook) => hook.spec))},
    servers=${list(servers)},
    functions=${list(functions)},
    children=${list(card.agents)},
)


async def ${stem}_before_tool_call(ctx):
    await _before(ctx, ${constant})


async def ${stem}_after_tool_call(ctx):
    await _after(ctx)
`;
}

function freeName(name: string, taken: Set<string>): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9_]+/g, '_');
  const stem = /^[a-z]/.test(plain) ? plain : `card_${plain}`;
  let free = stem;
  for (let count = 2; taken.has(free); count++) free = `${stem}_${count}`;
  taken.add(free);
  return free;
}

function list(items: readonly string[]): string {
  return `[${items.map(quoted).join(', ')}]`;
}

/** Writes a Python string. JSON's escapes are valid in Python when all non-ASCII characters are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
