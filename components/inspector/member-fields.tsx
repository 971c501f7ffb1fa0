'use client';

import { Plus } from 'lucide-react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { PickOne } from '@/components/ui/picker';
import { settingsName } from '@/lib/cards/file-role';
import { requiredFields } from '@/lib/cards/read/card-fields';
import { useAgentOptions, useCreateAgent, useServerOptions } from './agent-options';
import type { CardField } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, useField } from './field-place';
import { textsIn } from './field-values';
import { useFunctionOptions, useNewFunction } from './function-options';
import { addEdit, moveEdit, removeEdit } from './list-edits';
import { NameList, type NameListProps } from './name-list';

type Of<K extends CardField['kind']> = { readonly place: FieldPlace; readonly field: CardField & { readonly kind: K } };

/** The edits of a list of names, for its control. */
function useNames({ place, field }: Of<CardField['kind']>) {
  const open = useField(place, field);
  const { path, value, edit } = open;
  const names = textsIn(value);
  const keepsEmpty = place.file === settingsName || requiredFields[place.card.type].includes(String(field.path[0]));
  const list: Pick<NameListProps, 'names' | 'onAdd' | 'onRemove' | 'onMove'> = {
    names,
    onAdd: (name) => edit([addEdit(path, value, name)]),
    onRemove: (index) => edit([removeEdit(path, value, index, keepsEmpty)]),
    onMove: (from, to) => edit([moveEdit(path, from, to)]),
  };
  return { ...open, list };
}

/** A list of names with its label and what the checker says of it. */
function Names(
  props: Omit<NameListProps, 'id' | 'label' | 'names' | 'onAdd' | 'onRemove' | 'onMove'> &
    Pick<ReturnType<typeof useNames>, 'list' | 'fault'> & { readonly field: CardField },
) {
  const { field, list, fault, ...rest } = props;
  return (
    <FieldNote label={field.label} hint={field.hint} fault={fault}>
      {({ id }) => <NameList {...list} {...rest} id={id} label={field.label} />}
    </FieldNote>
  );
}

export function AgentsField({ place, field }: Of<'agents'>) {
  const { list, path, value, fault } = useNames({ place, field });
  const actions = useActions();
  const owner = place.card.name;
  const edges = useProject((state) => state.picture.graph.edges);
  const agents = useAgentOptions(owner, place.card.file);
  const everyone = field.everyone;
  const options = everyone === undefined ? agents : [{ value: '*', label: '*', note: everyone }, ...agents];
  const create = useCreateAgent(place.file, (name) => addEdit(path, value, name));
  const edgeTo = (name: string) =>
    edges.find((one) => one.kind === 'delegation' && one.source === `agent:${owner}` && one.target === `agent:${name}`);
  const hasOptions = place.file !== settingsName && list.names.some((name) => edgeTo(name) !== undefined);
  const showOptions = (name: string) => {
    const edge = edgeTo(name);
    if (edge !== undefined) actions.selectEdge(edge.id);
  };
  return (
    <Names
      {...{ field, fault, list, options }}
      actions={[create]}
      repeats={field.repeats === true}
      noun="agent"
      {...(hasOptions ? { onOptions: showOptions } : {})}
      onOpen={(name) => actions.select([`agent:${name}`])}
    />
  );
}

export function ServersField({ place, field }: Of<'servers'>) {
  const { list, path, value, fault } = useNames({ place, field });
  const actions = useActions();
  const commands = useCommands();
  const options = useServerOptions();
  const create = {
    icon: <Plus aria-hidden />,
    label: (typed: string) => {
      if (typed === '') return 'New server';
      return options.some((option) => option.value === typed) ? undefined : `Create server '${typed}'`;
    },
    onSelect: (typed: string) => commands.createServerFor(place.file, typed, (name) => addEdit(path, value, name)),
  };
  return (
    <Names
      {...{ field, fault, list, options }}
      actions={[create]}
      noun="MCP server"
      onOpen={(name) => actions.select([`server:${name}`])}
    />
  );
}

/** Picks functions of the project's code as tools, or writes a new one. */
export function FunctionsField({ place, field }: Of<'functions'>) {
  const { list, fault } = useNames({ place, field });
  const commands = useCommands();
  const options = useFunctionOptions(place.file, list.names);
  const create = useNewFunction({ file: place.file, name: place.card.name });
  const tools = place.card.type === 'agent' ? place.card.functionTools : [];
  return (
    <Names
      {...{ field, fault, list, options }}
      actions={create}
      noun="function"
      onOpen={(spec) => {
        const tool = tools.find(({ entrypoint }) => entrypoint === spec);
        if (tool !== undefined) commands.openFunction(tool.file, tool.functionName);
      }}
    />
  );
}

/** Chooses one agent of the project, or none if the card can do without. */
export function AgentPicker({ place, field }: Of<'agent'>) {
  const { path, value, fault, edit } = useField(place, field);
  const options = useAgentOptions(place.card.name, place.card.file);
  const create = useCreateAgent(place.file, (name) => ({ op: 'set', path, value: name }));
  return (
    <FieldNote label={field.label} hint={field.hint} fault={fault}>
      {(ids) => (
        <PickOne
          {...ids}
          label={field.label}
          value={textsIn(value)[0]}
          placeholder="Choose an agent…"
          {...(field.none === undefined ? {} : { none: field.none })}
          options={options}
          actions={[create]}
          onChange={(name) => edit([name === undefined ? { op: 'remove', path } : { op: 'set', path, value: name }])}
        />
      )}
    </FieldNote>
  );
}
