'use client';

import { useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { Json } from '@/lib/base/json';
import type { ServerConfig } from '@/lib/cards/config';
import type { GraphNode } from '@/lib/graph/graph';
import { DraftInput, DraftLines } from './draft-input';
import { Group } from './group';
import { NumberInput } from './number-input';
import { PairsField } from './pairs-field';

/** Shows an MCP server as fast-agent.yaml configures it. */
export function ServerForm(props: { readonly node: Extract<GraphNode, { kind: 'server' }> }) {
  const { name } = props.node;
  const commands = useCommands();
  const actions = useActions();
  const config = useProject((state) => state.picture.drawn.config);
  const stale = useProject((state) => config.file !== undefined && state.picture.stale.has(config.file));
  const [timeoutFault, setTimeoutFault] = useState<string>();
  const server = config.servers[name];
  if (server === undefined) return <NotConfigured name={name} />;
  if (stale) return <StaleText file={config.file ?? ''} />;
  const set: SetKey = (key, value) => commands.setServer(name, key, value);
  return (
    <div>
      <Group title="MCP server">
        <Field label="Name" hint={<span className="break-all font-mono">{config.file}</span>}>
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
        {server.transport === 'stdio' ? <StdioFields {...{ server, set }} /> : <HttpFields {...{ server, set }} />}
        <Field label="Read timeout (s)" error={timeoutFault}>
          {(ids) => (
            <NumberInput
              {...ids}
              value={server.readTimeoutSeconds}
              placeholder="none"
              onChange={(seconds) => set('read_timeout_seconds', seconds)}
              onFault={setTimeoutFault}
            />
          )}
        </Field>
      </Group>
      {config.file === undefined ? null : (
        <Group title="File">
          <Button size="sm" onClick={() => actions.openFile(config.file ?? '')}>
            Open {config.file}
          </Button>
        </Group>
      )}
    </div>
  );
}

const transports = ['stdio', 'http', 'sse'] as const;

function NotConfigured({ name }: { readonly name: string }) {
  const commands = useCommands();
  const file = useProject((state) => state.picture.drawn.config.file);
  return (
    <div className="flex flex-col items-start gap-2 p-3 text-sm text-muted">
      <p>
        Cards use the server <span className="font-medium text-ink">{name}</span>, but {file ?? 'fast-agent.yaml'} does
        not configure it.
      </p>
      <Button size="sm" onClick={() => commands.configureServer(name)}>
        Configure {name}
      </Button>
    </div>
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
function StdioFields({ server, set }: TransportFieldsProps) {
  return (
    <>
      <NeededField
        label="Command"
        value={server.command ?? ''}
        placeholder="npx"
        blank="Name the program that is the server."
        onCommit={(text) => set('command', text.trim())}
      />
      <Field label="Arguments" hint="One per line.">
        {(ids) => (
          <DraftLines
            {...ids}
            rows={3}
            late
            className="font-mono text-xs"
            value={server.args.join('\n')}
            onCommit={(text) => {
              const args = text.split('\n').filter((line) => line.trim() !== '');
              set('args', args.length === 0 ? undefined : args);
            }}
          />
        )}
      </Field>
      <PairsField
        label="Environment"
        hint="NAME=value, one per line. ${NAME} is filled in when a run starts, if an administrator lists the name."
        separator="="
        value={server.env}
        onCommit={(env) => set('env', env)}
      />
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
  return (
    <>
      <NeededField
        label="URL"
        value={server.url ?? ''}
        placeholder="https://example.com/mcp"
        blank="Give the address of the server."
        onCommit={(text) => set('url', text.trim())}
      />
      <PairsField
        label="Headers"
        hint="Name: value, one per line. ${NAME} is filled in when a run starts, if an administrator lists the name."
        separator=":"
        value={server.headers}
        onCommit={(headers) => set('headers', headers)}
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
        />
      )}
    </Field>
  );
}
