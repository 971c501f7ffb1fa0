'use client';

import { Trash2 } from 'lucide-react';
import { edgeWord } from '@/components/canvas/flow-model';
import { useActions, useProject } from '@/components/editor/project-context';
import { useCommands } from '@/components/editor/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import type { GraphEdge, GraphNode } from '@/lib/graph/graph';
import { parseNumber } from './card-fields';
import { DraftInput, DraftLines } from './draft-input';
import { Group } from './group';

const inputModes = ['text_json', 'request', 'message', 'input_data', 'schema'];

/** An edge: who to whom. A delegation has options, kept in callboard.yaml because a card has no place for them. */
export function EdgeForm(props: { readonly edge: GraphEdge }) {
  const { edge } = props;
  const commands = useCommands();
  const actions = useActions();
  const source = useProject((state) => state.picture.nodes.get(edge.source));
  const target = useProject((state) => state.picture.nodes.get(edge.target));
  if (source === undefined || target === undefined) return null;
  return (
    <div>
      <Group title={edgeTitle(edge)}>
        <p className="flex flex-wrap items-center gap-1.5 text-sm">
          <NodeLink node={source} onOpen={() => actions.select([source.id])} />
          <span aria-hidden className="text-faint">
            →
          </span>
          <span className="sr-only">to</span>
          <NodeLink node={target} onOpen={() => actions.select([target.id])} />
        </p>
        {edge.marks.length > 0 ? <p className="text-xs text-muted">{edge.marks.join(' · ')}</p> : null}
      </Group>
      {edge.kind === 'delegation' ? <DelegationFields parent={source.name} child={target.name} /> : null}
      <Group title="Remove">
        <Button
          size="sm"
          icon={<Trash2 aria-hidden className="size-3.5" />}
          onClick={() => commands.removeEdge(edge.id)}
        >
          Remove this edge
        </Button>
      </Group>
    </div>
  );
}

function DelegationFields(props: { readonly parent: string; readonly child: string }) {
  const { parent, child } = props;
  const commands = useCommands();
  const settings = useProject((state) => state.picture.drawn.settings);
  const options = settings.delegations[parent]?.[child] ?? {};
  const set = (key: string, value: Parameters<typeof commands.setDelegation>[3]) =>
    commands.setDelegation(parent, child, key, value);
  const toolName = settings.tool_naming === 'plain' ? child : `${settings.tool_naming}${child}`;
  return (
    <Group title="Delegation">
      <Field label="Tool name" hint="What the parent's model calls.">
        {(ids) => (
          <DraftInput
            {...ids}
            className="font-mono"
            value={options.tool_name ?? ''}
            placeholder={toolName}
            onCommit={(text) => set('tool_name', text.trim() || undefined)}
          />
        )}
      </Field>
      <Field label="Description" hint="Replaces the child's own description for this parent.">
        {(ids) => (
          <DraftLines
            {...ids}
            rows={3}
            value={options.description ?? ''}
            placeholder="as the child's card says"
            onCommit={(text) => set('description', text.trim() === '' ? undefined : text)}
          />
        )}
      </Field>
      <Field label="Input">
        {(ids) => (
          <Select
            {...ids}
            value={options.input_mode ?? 'text_json'}
            options={inputModes.map((mode) => ({ value: mode, label: mode }))}
            onValueChange={(mode) => set('input_mode', mode === 'text_json' ? undefined : mode)}
          />
        )}
      </Field>
      <Field label="Timeout (ms)">
        {(ids) => (
          <DraftInput
            {...ids}
            inputMode="numeric"
            className="tabular"
            value={options.timeout_ms === undefined ? '' : `${options.timeout_ms}`}
            placeholder="as the parent's card says"
            onCommit={(text) => set('timeout_ms', parseNumber(text))}
          />
        )}
      </Field>
      <Field label="Depth at most">
        {(ids) => (
          <DraftInput
            {...ids}
            inputMode="numeric"
            className="tabular"
            value={options.max_depth === undefined ? '' : `${options.max_depth}`}
            placeholder={`${settings.limits.max_depth ?? 5}`}
            onCommit={(text) => set('max_depth', parseNumber(text))}
          />
        )}
      </Field>
    </Group>
  );
}

function NodeLink(props: { readonly node: GraphNode; readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      className="max-w-full cursor-pointer truncate rounded-sm bg-sunken px-1.5 py-0.5 font-medium text-ink hover:bg-hover"
      onClick={props.onOpen}
    >
      {props.node.name}
    </button>
  );
}

function edgeTitle(edge: GraphEdge): string {
  if (edge.kind === 'delegation') return 'Delegates to';
  if (edge.kind === 'uses') return 'Uses';
  const word = edgeWord(edge.kind) ?? edge.kind;
  return edge.order === undefined ? word : `${word} ${edge.order}`;
}
