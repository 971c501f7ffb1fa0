'use client';

import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { KindIcon } from '@/components/marks/kind-icon';
import type { PickerAction, PickerOption } from '@/components/ui/picker-rows';
import { normaliseName } from '@/lib/cards/edit/rename-agent';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';

/** Returns the agents of the project as options of a picker, but `owner`. */
export function useAgentOptions(owner: string): readonly PickerOption[] {
  const cards = useProject((state) => state.picture.drawn.cards);
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

/** Returns the row that creates an agent and writes its name into a field, as one undo step. */
export function useCreateAgent(file: string, editFor: (name: string) => YamlEdit): PickerAction {
  const commands = useCommands();
  const cards = useProject((state) => state.picture.drawn.cards);
  return {
    icon: <Plus aria-hidden />,
    label: (typed) => {
      const name = normaliseName(typed);
      if (name === '') return 'New agent';
      return cards.some((card) => card.name === name) ? undefined : `Create agent '${name}'`;
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
