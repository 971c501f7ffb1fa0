'use client';

import { useState } from 'react';
import { useActions, useProject } from '@/components/editor/project-context';
import { useCommands } from '@/components/editor/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { GraphNode } from '@/lib/graph/graph';
import { DraftInput, DraftLines } from './draft-input';
import { Group } from './group';
import { NumberInput } from './number-input';
import { type PairSeparator, pairFault, parsePairs, printPairs } from './pair-lines';

/** An MCP server as fast-agent.yaml configures it. */
export function ServerForm(props: { readonly node: Extract<GraphNode, { kind: 'server' }> }) {
  const { name } = props.node;
  const commands = useCommands();
  const actions = useActions();
  const config = useProject((state) => state.picture.drawn.config);
  const stale = useProject((state) => config.file !== undefined && state.picture.stale.has(config.file));
  const [timeoutFault, setTimeoutFault] = useState<string>();
  const server = config.servers[name];
  if (server === undefined) {
    return (
      <div className="flex flex-col items-start gap-2 p-3 text-sm text-muted">
        <p>
          Cards use the server <span className="font-medium text-ink">{name}</span>, but{' '}
          {config.file ?? 'fast-agent.yaml'} does not configure it.
        </p>
        <Button size="sm" onClick={() => commands.configureServer(name)}>
          Configure {name}
        </Button>
      </div>
    );
  }
  if (stale) {
    return (
      <p className="p-3 text-sm text-muted">
        The text of {config.file} cannot be read right now. Mend it to go on here.
      </p>
    );
  }
  const set = (key: string, value: Parameters<typeof commands.setServer>[2]) => commands.setServer(name, key, value);
  const optional = (text: string) => (text.trim() === '' ? undefined : text.trim());
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
              options={['stdio', 'http', 'sse'].map((value) => ({ value, label: value }))}
              onValueChange={(value) => set('transport', value)}
            />
          )}
        </Field>
        {server.transport === 'stdio' ? (
          <>
            <Field label="Command">
              {(ids) => (
                <DraftInput
                  {...ids}
                  className="font-mono"
                  value={server.command ?? ''}
                  onCommit={(text) => set('command', optional(text))}
                />
              )}
            </Field>
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
                  onCommit={(text) => set('cwd', optional(text))}
                />
              )}
            </Field>
          </>
        ) : (
          <>
            <Field label="URL">
              {(ids) => (
                <DraftInput
                  {...ids}
                  className="font-mono"
                  value={server.url ?? ''}
                  placeholder="https://example.com/mcp"
                  onCommit={(text) => set('url', optional(text))}
                />
              )}
            </Field>
            <PairsField
              label="Headers"
              hint="Name: value, one per line. ${NAME} is filled in when a run starts, if an administrator lists the name."
              separator=":"
              value={server.headers}
              onCommit={(headers) => set('headers', headers)}
            />
          </>
        )}
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

type Pairs = Readonly<Record<string, string>>;

/** Names with values, one per line. Lines that are none stay in the field, with what is wrong. */
function PairsField(props: {
  readonly label: string;
  readonly hint: string;
  readonly separator: PairSeparator;
  readonly value: Pairs;
  readonly onCommit: (pairs: Pairs | undefined) => void;
}) {
  const { label, hint, separator, value, onCommit } = props;
  const [fault, setFault] = useState<string>();
  return (
    <Field label={label} hint={hint} error={fault}>
      {(ids) => (
        <DraftLines
          {...ids}
          rows={2}
          late
          className="font-mono text-xs"
          value={printPairs(value, separator)}
          refuse={(text) => pairFault(text, separator)}
          onFault={setFault}
          onCommit={(text) => onCommit(parsePairs(text, separator))}
        />
      )}
    </Field>
  );
}
