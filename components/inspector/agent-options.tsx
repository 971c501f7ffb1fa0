'use client';

import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useProject, useProjectAs, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { KindIcon } from '@/components/marks/kind-icon';
import type { PickerAction, PickerOption } from '@/components/ui/picker-rows';
import { normaliseName } from '@/lib/cards/agent-name';
import type { Card } from '@/lib/cards/card';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';

/**
 * Returns the agents of the project as options of a picker, but the agent `owner`, whose card is `file`. The file must stay the
 * same while the component is mounted.
 */
export function useAgentOptions(owner: string, file: string): readonly PickerOption[] {
  const cards = useProjectAs(
    (state) => state.picture.drawn.cards,
    (a, b) => sameAgents(a, b, file),
  );
  return useMemo(() => {
    const byName = new Map(cards.map((card) => [card.name, card]));
    byName.delete(owner);
    return [...byName.values()].map(
      ({ name, type, description }): PickerOption => ({
        value: name,
        label: name,
        note: description?.split('\n', 1)[0],
        words: type,
        icon: <KindIcon node={{ kind: 'agent', type }} size={18} />,
      }),
    );
  }, [cards, owner]);
}

/** True if both lists make the same options. What the card `file` says of its own agent is in none of them. */
function sameAgents(a: readonly Card[], b: readonly Card[], file: string): boolean {
  if (a.length !== b.length) return false;
  return a.every((card, at) => {
    const other = b[at];
    if (card === other) return true;
    if (card.name !== other?.name || card.type !== other.type) return false;
    return card.file === file || card.description === other.description;
  });
}

/** Returns the row that creates an agent and writes its name into a field, as one undo step. */
export function useCreateAgent(file: string, editFor: (name: string) => YamlEdit): PickerAction {
  const commands = useCommands();
  const read = useReadProject();
  return {
    icon: <Plus aria-hidden />,
    label: (typed) => {
      const name = normaliseName(typed);
      if (name === '') return 'New agent';
      return read().picture.cards.has(name) ? undefined : `Create agent '${name}'`;
    },
    onSelect: (typed) => commands.createAgentFor(file, typed, editFor),
  };
}

/** Returns the servers of the project as options of a picker. */
export function useServerOptions(): readonly PickerOption[] {
  const servers = useProject((state) => state.picture.drawn.config.servers);
  return useMemo(
    () =>
      Object.entries(servers).map(
        ([name, server]): PickerOption => ({
          value: name,
          label: name,
          note: server.url ?? [server.command, ...server.args].join(' '),
          icon: <KindIcon node={{ kind: 'server' }} size={18} />,
        }),
      ),
    [servers],
  );
}
