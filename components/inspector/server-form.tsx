'use client';

import { Copy, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useServers } from '@/components/editor-state/servers-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { MissingKey } from '@/components/keys/set-key';
import { ServerTestPanel } from '@/components/servers/server-test';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { VisibleText } from '@/components/ui/visible-text';
import type { Json } from '@/lib/base/json';
import type { ServerConfig } from '@/lib/cards/config';
import { locateKey } from '@/lib/cards/read/locate';
import type { ShownIssue } from '@/lib/editor/newborn';
import { filterKinds, offeredBy } from '@/lib/editor/server-listing';
import type { GraphNode, NodeId } from '@/lib/graph/graph';
import { ArgumentRows } from './argument-rows';
import { DraftInput } from './draft-input';
import { Group } from './group';
import { NumberInput } from './number-input';
import { PairRows } from './pair-rows';
import { UsedBy } from './used-by';

/** Shows an MCP server as fast-agent.yaml configures it, or as a card connects to it. */
export function ServerForm(props: { readonly node: Extract<GraphNode, { kind: 'server' }> }) {
  const { node } = props;
  const config = useProject((state) => state.picture.drawn.config);
  const stale = useProject((state) => config.file !== undefined && state.picture.stale.has(config.file));
  const server = Object.hasOwn(config.servers, node.name) ? config.servers[node.name] : undefined;
  if (server !== undefined && stale) return <StaleText file={config.file ?? ''} />;
  return (
    <div>
      {server !== undefined ? (
        <ConfiguredServer server={server} id={node.id} />
      ) : node.missing ? (
        <NotConfigured name={node.name} />
      ) : (
        <ConnectedServer name={node.name} />
      )}
      {node.missing ? null : (
        <Group title="Test">
          <ServerTestPanel server={node.name} />
          <ServerOffer server={node.name} />
        </Group>
      )}
      <ServerUsers id={node.id} />
      <ServerFile name={node.name} isConfigured={server !== undefined} />
    </div>
  );
}

/** Shows the settings of a server of the config. */
function ConfiguredServer({ server, id }: { readonly server: ServerConfig; readonly id: NodeId }) {
  const { name } = server;
  const commands = useCommands();
  const issues = useProject((state) => state.picture.problems.get(id));
  const [timeoutFault, setTimeoutFault] = useState<string>();
  const set: SetKey = (key, value) => commands.setServer(name, key, value);
  const argsFault = issues?.find(({ code, isHint }) => code === 'server-without-arguments' && !isHint);
  return (
    <Group title="MCP server">
      <IssueNotes issues={issues?.filter((issue) => issue !== argsFault) ?? []} />
      <NameField name={name} />
      <Field label="Transport">
        {(ids) => (
          <Select
            {...ids}
            value={server.transport}
            options={transports.map((value) => ({ value, label: value }))}
            onValueChange={(value) => {
              const chosen = transports.find((one) => one === value);
              if (chosen !== undefined) commands.setTransport(name, chosen);
            }}
          />
        )}
      </Field>
      {server.transport === 'stdio' ? (
        <StdioFields {...{ server, set }} argsFault={argsFault?.message} />
      ) : (
        <HttpFields {...{ server, set }} />
      )}
      <Field label="Read timeout (s)" error={timeoutFault}>
        {(ids) => (
          <NumberInput
            {...ids}
            value={server.readTimeoutSeconds}
            placeholder="300"
            onChange={(seconds) => set('read_timeout_seconds', seconds)}
            onFault={setTimeoutFault}
          />
        )}
      </Field>
    </Group>
  );
}

function NameField({ name }: { readonly name: string }) {
  const commands = useCommands();
  const file = useProject((state) => state.picture.drawn.config.file);
  return (
    <Field label="Name" hint={<span className="break-all font-mono">{file}</span>}>
      {(ids) => (
        <DraftInput
          {...ids}
          late
          className="font-medium"
          value={name}
          onCommit={(text) => commands.renameServer(name, text)}
        />
      )}
    </Field>
  );
}

/** What the checker says of the server. */
function IssueNotes({ issues }: { readonly issues: readonly ShownIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {issues.map((issue) => (
        <li
          key={`${issue.code}:${issue.line}:${issue.column}`}
          className={`break-words text-xs ${issue.isHint ? 'text-muted' : issue.severity === 'error' ? 'text-bad' : 'text-warn'}`}
        >
          {issue.message}
          <div className="mt-1 empty:hidden">
            <MissingKey text={issue.message} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Shows a server that one card connects to by itself (`mcp_connect`). */
function ConnectedServer({ name }: { readonly name: string }) {
  const commands = useCommands();
  const cards = useProject((state) => state.picture.drawn.cards);
  const found = cards
    .flatMap((card) => (card.type === 'agent' ? [card] : []))
    .map((card) => ({ card, entry: card.mcpConnect.find((one) => one.name === name) }))
    .find(({ entry }) => entry !== undefined);
  const path = useProject((state) => {
    if (found === undefined) return undefined;
    const { file } = found.card;
    const { folder } = state.document;
    return locateKey(folder, file, ['mcp_connect', name]) === undefined ? undefined : `${file}`;
  });
  if (found?.entry === undefined) return null;
  const { card, entry } = found;
  return (
    <Group title="MCP server">
      <NameField name={name} />
      <p className="text-muted text-xs">The card of {card.name} connects to it. Other agents do not have it.</p>
      {path === undefined || entry.target === undefined ? (
        <p className="break-all font-mono text-ink text-xs">{entry.target ?? entry.connectorId}</p>
      ) : (
        <NeededField
          label="Target"
          value={entry.target}
          placeholder="https://example.com/mcp"
          blank="Give an address, a package or a command."
          onCommit={(text) => commands.setField(card.file, ['mcp_connect', name, 'target'], text, `Target of ${name}`)}
        />
      )}
    </Group>
  );
}

/** Lists what the server offered when it was last tested. */
function ServerOffer({ server }: { readonly server: string }) {
  const commands = useCommands();
  const mayEdit = useProject((state) => state.mayEdit);
  const listing = useServers(({ known }) => (Object.hasOwn(known, server) ? known[server]?.listing : undefined));
  if (listing === undefined) return null;
  return filterKinds.map((kind) => {
    const offered = offeredBy(listing, kind);
    if (offered.length === 0) return null;
    return (
      <details key={kind} className="text-xs">
        <summary className="w-fit cursor-pointer text-muted hover:text-ink">
          {offered.length} {offered.length === 1 ? kind.slice(0, -1) : kind}
        </summary>
        <ul aria-label={`The ${kind} of ${server}`} className="mt-1 flex flex-col gap-1">
          {offered.slice(0, 200).map(({ name, description }) => (
            <li key={name} className="flex min-w-0 items-start gap-2">
              <span className="min-w-0 flex-1">
                <code className="break-all font-mono text-ink">
                  <VisibleText text={name} />
                </code>
                {description === undefined ? null : (
                  <span className="line-clamp-2 text-muted" title={description}>
                    {description}
                  </span>
                )}
              </span>
              {kind === 'tools' && mayEdit ? (
                <Button
                  size="sm"
                  aria-label={`Try ${name}…`}
                  onClick={() => commands.openToolBench({ kind: 'server', server, tool: name })}
                >
                  Try…
                </Button>
              ) : null}
            </li>
          ))}
          {offered.length > 200 ? <li className="text-faint">and {offered.length - 200} more</li> : null}
        </ul>
      </details>
    );
  });
}

/** Lists the agents that use the server. Each leads to its wire, where its tools are picked. */
function ServerUsers({ id }: { readonly id: NodeId }) {
  const actions = useActions();
  const graph = useProject((state) => state.picture.graph);
  const nodes = useProject((state) => state.picture.nodes);
  const edges = graph.edges.filter((edge) => edge.target === id);
  return (
    <Group title="Used by">
      {edges.length === 0 ? (
        <p className="text-muted text-xs">No agent yet. Draw a wire from an agent to this server.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {edges.map((edge) => {
            const name = nodes.get(edge.source)?.name ?? edge.source;
            return (
              <li key={edge.id}>
                <button
                  type="button"
                  className="flex w-full min-w-0 cursor-pointer items-baseline gap-2 rounded border bg-surface px-2 py-1 text-left text-sm hover:bg-hover"
                  onClick={() => actions.selectEdge(edge.id)}
                >
                  <span className="truncate font-medium text-ink">
                    <VisibleText text={name} />
                  </span>
                  <span className="min-w-0 flex-1 truncate text-right text-muted text-xs">
                    {edge.marks.length === 0 ? 'everything' : edge.marks.join(' · ')}
                  </span>
                  <span className="sr-only">. Pick what {name} takes</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </Group>
  );
}

function ServerFile({ name, isConfigured }: { readonly name: string; readonly isConfigured: boolean }) {
  const commands = useCommands();
  const actions = useActions();
  const file = useProject((state) => state.picture.drawn.config.file);
  return (
    <>
      <UsedBy kind="server" name={name} />
      <Group title="File">
        <div className="flex flex-wrap gap-1.5">
          {file === undefined || !isConfigured ? null : (
            <Button size="sm" onClick={() => actions.openFile(file)}>
              Open {file}
            </Button>
          )}
          {isConfigured ? (
            <Button
              size="sm"
              icon={<Copy aria-hidden className="size-3.5" />}
              onClick={() => commands.duplicateServer(name)}
            >
              Duplicate
            </Button>
          ) : null}
          <Button
            size="sm"
            icon={<Trash2 aria-hidden className="size-3.5" />}
            onClick={() => commands.remove([`server:${name}`])}
          >
            Delete
          </Button>
        </div>
      </Group>
    </>
  );
}

const transports = ['stdio', 'http', 'sse'] as const;

function NotConfigured({ name }: { readonly name: string }) {
  const commands = useCommands();
  const file = useProject((state) => state.picture.drawn.config.file);
  return (
    <Group title="MCP server">
      <p className="text-muted text-sm">
        Cards use the server <span className="font-medium text-ink">{name}</span>, but {file ?? 'fast-agent.yaml'} does
        not configure it.
      </p>
      <Button size="sm" className="self-start" onClick={() => commands.configureServer(name)}>
        Configure {name}
      </Button>
    </Group>
  );
}

function StaleText({ file }: { readonly file: string }) {
  const actions = useActions();
  return (
    <div className="flex flex-col items-start gap-2 p-3 text-muted text-sm">
      <p>
        The text of <span className="font-mono text-ink">{file}</span> cannot be read right now, so the canvas shows how
        it was before. Repair the text to continue here.
      </p>
      <Button size="sm" onClick={() => actions.openFile(file)}>
        Open the text
      </Button>
    </div>
  );
}

/** Sets a field of the server. `undefined` removes the field. */
type SetKey = (key: string, value: Json | undefined) => void;

interface TransportFieldsProps {
  readonly server: ServerConfig;
  readonly set: SetKey;
}

/** Shows the fields of a server that runs as a local program. */
function StdioFields({ server, set, argsFault }: TransportFieldsProps & { readonly argsFault: string | undefined }) {
  const commands = useCommands();
  return (
    <>
      <NeededField
        label="Command"
        value={server.command ?? ''}
        placeholder="npx"
        blank="Name the program that is the server."
        onPasteText={(text) => commands.pasteIntoServer(server.name, text)}
        onCommit={(text) => set('command', text.trim())}
      />
      <ArgumentRows
        args={server.args}
        fault={argsFault}
        onChange={(args) => commands.setServerArguments(server.name, args)}
        onPasteText={(index, text) => commands.pasteArguments(server.name, index, text)}
      />
      <PairRows kind="env" value={server.env} onChange={(env) => commands.setServerPairs(server.name, 'env', env)} />
      <Field label="Working folder" hint="Relative to the project.">
        {(ids) => (
          <DraftInput
            {...ids}
            className="font-mono"
            value={server.cwd ?? ''}
            placeholder="."
            onCommit={(text) => set('cwd', text.trim() === '' ? undefined : text.trim())}
          />
        )}
      </Field>
    </>
  );
}

/** Shows the fields of a server at an address. */
function HttpFields({ server, set }: TransportFieldsProps) {
  const commands = useCommands();
  return (
    <>
      <NeededField
        label="URL"
        value={server.url ?? ''}
        placeholder="https://example.com/mcp"
        blank="Give the address of the server."
        onPasteText={(text) => commands.pasteIntoServer(server.name, text)}
        onCommit={(text) => set('url', text.trim())}
      />
      <PairRows
        kind="headers"
        value={server.headers}
        onChange={(headers) => commands.setServerPairs(server.name, 'headers', headers)}
      />
    </>
  );
}

/**
 * A field that must not be empty, because the file could not be read without it. Blank text is not written; the error says
 * what is missing.
 */
function NeededField(props: {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly blank: string;
  readonly onCommit: (text: string) => void;
  /** Returns true if the text was taken as a whole, in place of being typed into the field. */
  readonly onPasteText?: (text: string) => boolean;
}) {
  const [fault, setFault] = useState<string>();
  return (
    <Field label={props.label} error={fault}>
      {(ids) => (
        <DraftInput
          {...ids}
          className="font-mono"
          value={props.value}
          placeholder={props.placeholder}
          refuse={(text) => (text.trim() === '' ? props.blank : undefined)}
          onFault={setFault}
          onCommit={props.onCommit}
          onTakePaste={(event) => props.onPasteText?.(event.clipboardData.getData('text/plain')) === true}
        />
      )}
    </Field>
  );
}
