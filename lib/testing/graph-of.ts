import { plainAgent } from '@/lib/cards/agent-view';
import type { AgentCard } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { FileRole, ParsedFolder } from '@/lib/cards/parsed-folder';
import { defaultSettings, type Settings } from '@/lib/cards/settings';

export interface GraphOptions {
  /** Fields that differ from the defaults, by agent. */
  readonly cards?: Readonly<Record<string, Partial<AgentCard>>>;
  readonly settings?: Partial<Settings>;
  readonly config?: Partial<FastAgentConfig>;
}

/**
 * Makes a folder of agent cards from shorthand: `graphOf('lead > writer, critic; critic > helper')`. Agents appear in the
 * order they are first named. `graphOf('solo')` is one agent.
 */
export function graphOf(shorthand: string, options: GraphOptions = {}): ParsedFolder {
  const children = new Map<string, string[]>();
  for (const line of shorthand.split(';').map((part) => part.trim())) {
    if (line === '') continue;
    const [parent = '', list = ''] = line.split('>').map((part) => part.trim());
    const names = list.split(',').flatMap((name) => name.trim() || []);
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent)?.push(...names);
    for (const name of names) if (!children.has(name)) children.set(name, []);
  }
  const cards = [...children].map(([name, agents]) => agentCard(name, { agents, ...options.cards?.[name] }));
  return {
    roles: new Map(cards.map((card): [string, FileRole] => [card.file, 'card'])),
    cards,
    unread: new Map(),
    config: {
      file: undefined,
      servers: {},
      defaultModel: 'test-model',
      modelReferences: {},
      providers: {},
      raw: null,
      ...options.config,
    },
    settings: { ...defaultSettings, ...options.settings },
    settingsFile: undefined,
    missingCode: new Set(),
    issues: [],
  };
}

/** Makes an agent card with every field at its default. */
export function agentCard(name: string, fields: Partial<AgentCard> = {}): AgentCard {
  return {
    ...plainAgent,
    file: `agent-cards/${name}.md`,
    name,
    instruction: `You are ${name}.`,
    description: undefined,
    ...fields,
  };
}
