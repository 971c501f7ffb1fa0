import type { Json } from '@/lib/base/json';
import type { ServerConfig } from '@/lib/cards/config';
import { duplicateServer } from '@/lib/cards/edit/duplicate-server';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { type FilterKind, setServerFilter } from '@/lib/cards/edit/server-filter';
import { setServerArguments, setServerKey, setServerPairs, setTransport } from '@/lib/cards/edit/server-transport';
import { addServer } from '@/lib/graph/commands';
import { type Editing, freeName } from './editing';
import type { PlaceNew } from './place-new';
import type { ProjectStore } from './project-store';
import { serverPastes } from './server-pastes';
import type { ServerTests } from './server-tests';

/** What is remembered of servers that were tested. */
export type ServerMemory = Pick<ServerTests['actions'], 'renamed' | 'accept'>;

/** Commands for MCP servers, as fast-agent.yaml configures them and cards filter them. */
export function serverCommands(
  editing: Editing,
  actions: ProjectStore['actions'],
  placeNew: PlaceNew,
  memory: ServerMemory,
) {
  const { state, folder, drawn, applyOne, applyTyped } = editing;
  return {
    /** Calls `renamed` when it is done, which may be after a question. */
    renameServer(from: string, to: string, renamed?: () => void) {
      const name = to.trim();
      if (from === name || name === '') return;
      const id = `server:${name}`;
      const selected = state().selection.includes(`server:${from}`);
      if (!applyOne(renameServer(folder(), from, name), { label: `Rename ${from} to ${name}` })) return;
      memory.renamed(from, name);
      if (selected && state().picture.nodes.has(id)) actions.select([id]);
      renamed?.();
    },
    /** Adds a server with the settings of another one, and begins to name it. */
    duplicateServer(from: string) {
      const name = freeName(from, (taken) => taken in drawn().config.servers);
      const id = `server:${name}`;
      if (!state().picture.nodes.has(id)) placeNew(id, undefined);
      if (!applyOne(duplicateServer(folder(), drawn(), from, name), { label: `Duplicate ${from}` })) return;
      editing.select(id);
      actions.show({ renaming: id, narrowPanel: 'canvas' });
    },
    /** Sets what an agent is offered of a server. `undefined` offers everything. */
    setServerFilter(
      agent: { readonly file: string; readonly name: string },
      server: string,
      kind: FilterKind,
      patterns: readonly string[] | undefined,
    ) {
      const label = `${kind} of ${server} for ${agent.name}`;
      if (applyOne(setServerFilter(folder(), agent.file, kind, server, patterns), { label }))
        memory.accept(server, agent.name, [kind]);
    },
    setServerArguments(name: string, args: readonly string[]) {
      applyOne(setServerArguments(folder(), drawn(), name, args), { label: `Arguments of ${name}` });
    },
    setServerPairs(name: string, key: 'env' | 'headers', pairs: readonly (readonly [string, string])[]) {
      applyOne(setServerPairs(folder(), drawn(), name, key, pairs), { label: `${key} of ${name}` });
    },
    configureServer(name: string) {
      editing.bear(`server:${name}`);
      applyOne(addServer(folder(), drawn(), { name, command: 'npx' }), { label: `Configure ${name}` });
    },
    /** Sets one field of a server in fast-agent.yaml. */
    setServer(name: string, key: string, value: Json | undefined) {
      const label = `${key} of ${name}`;
      applyTyped(setServerKey(folder(), drawn(), name, key, value), { label, burst: `server:${name}:${key}` });
    },
    ...serverPastes(editing, actions),
    setTransport(name: string, transport: ServerConfig['transport']) {
      applyOne(setTransport(folder(), drawn(), name, transport), { label: `Transport of ${name}` });
    },
  };
}
