import { normaliseName } from '@/lib/cards/agent-name';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import { addAgent, addServer } from '@/lib/graph/commands';
import { fieldEdits } from './card-commands';
import { compose, type Step } from './compose';
import { type Editing, freeName } from './editing';
import type { PlaceNew } from './place-new';

/**
 * Commands that create an agent or a server from a field of a form and write its name into that field, as one undo step.
 * The form stays where it is. With an empty name the new one gets the first free name.
 */
export function memberCommands({ state, folder, drawn, apply, bear }: Editing, placeNew: PlaceNew) {
  function create(file: string, id: string, name: string, add: Step, edit: YamlEdit) {
    const owner = drawn().cards.find((card) => card.file === file);
    if (!state().picture.nodes.has(id)) placeNew(id, owner === undefined ? undefined : `agent:${owner.name}`);
    if (!state().picture.nodes.has(id)) bear(id);
    apply(compose(folder(), [add, (now) => fieldEdits(now, file, [edit])]), { label: `Add ${name}` });
  }

  return {
    createAgentFor(file: string, wanted: string, editFor: (name: string) => YamlEdit) {
      const taken = (name: string) => drawn().cards.some((card) => card.name === name);
      const name = normaliseName(wanted) || freeName('agent', taken);
      create(file, `agent:${name}`, name, (now, parsed) => addAgent(now, parsed, { name }), editFor(name));
    },
    createServerFor(file: string, wanted: string, editFor: (name: string) => YamlEdit) {
      const name = wanted.trim() || freeName('server', (taken) => taken in drawn().config.servers);
      const add: Step = (now, parsed) => addServer(now, parsed, { name, command: 'npx' });
      create(file, `server:${name}`, name, add, editFor(name));
    },
  };
}
