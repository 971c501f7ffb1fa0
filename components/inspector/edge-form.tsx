'use client';

import { ChevronDown, ChevronRight, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { VisibleText } from '@/components/ui/visible-text';
import type { AgentCard } from '@/lib/cards/card';
import { stepOptions } from '@/lib/cards/delegation-schemas';
import { edgeWord, wireHint } from '@/lib/editor/graph-words';
import type { GraphEdge, GraphNode } from '@/lib/graph/graph';
import { placeAmong, roleInstead } from '@/lib/graph/roles';
import { occurrence } from '@/lib/graph/wires';
import { DelegationFieldInput } from './delegation-field';
import { delegationGroups, valueAt } from './delegation-options';
import { FunctionToolForm } from './function-tool-form';
import { Group } from './group';
import { HooksOfWire } from './hook-section';
import { EdgeOffers } from './server-offers';

/** Shows the form of an edge: its ends, and the options of a delegation, which are stored in callboard.yaml. */
export function EdgeForm(props: { readonly edge: GraphEdge }) {
  const { edge } = props;
  const commands = useCommands();
  const actions = useActions();
  const source = useProject((state) => state.picture.nodes.get(edge.source));
  const target = useProject((state) => state.picture.nodes.get(edge.target));
  const card = useProject((state) => state.picture.drawn.cards.find(({ name }) => name === source?.name));
  if (source === undefined || target === undefined) return null;
  const hint = wireHint(edge);
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
        {hint === undefined ? null : <p className="text-sm text-muted">{hint}</p>}
        {edge.marks.length > 0 ? <p className="text-xs text-muted">{edge.marks.join(' · ')}</p> : null}
      </Group>
      <MemberGroup edge={edge} />
      {edge.kind === 'delegation' || edge.kind === 'may_call' ? (
        <DelegationFields parent={source.name} child={target.name} byName={edge.kind === 'may_call'} />
      ) : null}
      {card !== undefined && card.type !== 'agent' && target.kind === 'agent' ? (
        <DelegationFields parent={source.name} child={target.name} only={stepOptions(card, target.name)} />
      ) : null}
      {(card?.type === 'agent' || card?.type === 'router') && target.kind === 'server' && !target.missing ? (
        <EdgeOffers card={card} server={target.name} />
      ) : null}
      {card?.type === 'agent' && target.kind === 'function' ? <ToolForm card={card} edge={edge} tool={target} /> : null}
      {card === undefined ? null : <HooksOfWire card={card} />}
      <Group title="Remove">
        <Button
          size="sm"
          className="self-start"
          icon={<Trash2 aria-hidden className="size-3.5" />}
          onClick={() => commands.removeEdge(edge.id)}
        >
          {edge.kind === 'may_call' ? 'Remove from the list' : 'Remove this edge'}
        </Button>
      </Group>
    </div>
  );
}

/** Several entries of a card may name one function; the nth wire to it is the nth entry. */
function ToolForm(props: {
  readonly card: AgentCard;
  readonly edge: GraphEdge;
  readonly tool: Extract<GraphNode, { kind: 'function' }>;
}) {
  const { card, edge, tool } = props;
  const specs = card.functionTools.filter(({ file, functionName }) => file === tool.file && functionName === tool.name);
  const spec = specs[occurrence(edge) - 1];
  if (spec === undefined) return null;
  const equal = specs.slice(0, specs.indexOf(spec) + 1).filter(({ entrypoint }) => entrypoint === spec.entrypoint);
  return <FunctionToolForm card={card} entrypoint={spec.entrypoint} nth={equal.length} />;
}

/** Shows the role of a member and its place among the others. */
function MemberGroup({ edge }: { readonly edge: GraphEdge }) {
  const commands = useCommands();
  const graph = useProject((state) => state.picture.graph);
  const role = roleInstead(edge);
  const at = placeAmong(graph, edge);
  if (role === undefined && at === undefined) return null;
  return (
    <Group title="Member">
      {role === undefined ? null : (
        <Field label="Role">
          {(ids) => (
            <Select
              {...ids}
              value={edge.kind}
              options={[edge.kind, role].sort().map((value) => ({ value, label: roleNames[value] ?? value }))}
              onValueChange={(value) => {
                if (value !== edge.kind) commands.changeRole(edge.id);
              }}
            />
          )}
        </Field>
      )}
      {at === undefined || at.of < 2 ? null : (
        <div className="flex items-center gap-1.5 text-sm">
          <span className="min-w-0 flex-1 text-muted tabular">
            {edge.kind === 'sequence' ? 'Step' : 'Branch'} {at.place} of {at.of}
          </span>
          <Button size="sm" disabled={at.place === 1} onClick={() => commands.moveMember(edge.id, 'earlier')}>
            Earlier
          </Button>
          <Button size="sm" disabled={at.place === at.of} onClick={() => commands.moveMember(edge.id, 'later')}>
            Later
          </Button>
        </div>
      )}
    </Group>
  );
}

const roleNames: Readonly<Record<string, string>> = {
  fan_out: 'Fan out',
  fan_in: 'Fan in',
  generator: 'Generator',
  evaluator: 'Evaluator',
};

function DelegationFields(props: {
  readonly parent: string;
  readonly child: string;
  /** True if the child is called by its name, so that it takes `input_data`. */
  readonly byName?: boolean;
  /** The options that have an effect; `undefined` means all. */
  readonly only?: readonly string[];
}) {
  const { parent, child } = props;
  const commands = useCommands();
  const settings = useProject((state) => state.picture.drawn.settings);
  const children = settings.delegations;
  const own = Object.hasOwn(children, parent) ? valueAt(children[parent], [child]) : undefined;
  const usualMode = props.byName === true ? 'input_data' : 'text_json, or schema where there is one';
  const unset: Readonly<Record<string, string>> = {
    tool_name: settings.tool_naming === 'plain' ? child : `${settings.tool_naming}${child}`,
    input_mode: valueAt(own, ['input_schema']) === undefined ? usualMode : 'schema',
    max_depth: `${settings.limits.max_depth ?? 5}`,
  };
  const { only } = props;
  return delegationGroups.map(({ title, fields: all }, index) => {
    const fields = only === undefined ? all : all.filter(({ path }) => only.includes(path.join('.')));
    if (fields.length === 0) return null;
    const written = fields.filter(({ path }) => valueAt(own, path) !== undefined).length;
    return (
      <OptionGroup key={title} title={title} written={written} open={index === 0 || only !== undefined || written > 0}>
        {fields.map((field) => (
          <DelegationFieldInput
            key={field.path.join('.')}
            field={field}
            at={['delegations', parent, child]}
            own={valueAt(own, field.path)}
            inherited={valueAt(settings.delegation_defaults, field.path)}
            unset={unset[field.path.join('.')] ?? field.input.unset}
            onChange={(path, value) => commands.setDelegation(parent, child, path, value)}
          />
        ))}
      </OptionGroup>
    );
  });
}

/** A group of options that can be folded. A folded group shows how many of its options are set. */
function OptionGroup(props: {
  readonly title: string;
  readonly written: number;
  /** True if the group is open at first. Later it stays as the person left it. */
  readonly open: boolean;
  readonly children: ReactNode;
}) {
  const { title, written, children } = props;
  const [open, setOpen] = useState(props.open);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <section className="min-w-0 border-b last:border-b-0">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex w-full cursor-pointer items-center gap-1.5 px-3 py-2.5 text-left font-semibold text-muted text-xs hover:bg-hover focus-visible:-outline-offset-2"
        >
          <Chevron aria-hidden className="size-3.5 shrink-0 text-faint" />
          <span className="flex-1">{title}</span>
          {written > 0 && <span className="font-normal text-faint tabular">{written} set</span>}
        </button>
      </h3>
      {open && <div className="flex min-w-0 flex-col gap-3 px-3 pb-3">{children}</div>}
    </section>
  );
}

function NodeLink(props: { readonly node: GraphNode; readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      className="max-w-full cursor-pointer truncate rounded-sm bg-sunken px-1.5 py-0.5 font-medium text-ink hover:bg-hover"
      onClick={props.onOpen}
    >
      <VisibleText text={props.node.name} />
    </button>
  );
}

function edgeTitle(edge: GraphEdge): string {
  if (edge.kind === 'delegation') return 'Delegates to';
  if (edge.kind === 'uses') return 'Uses';
  if (edge.kind === 'may_call') return 'May call by name';
  const lower = edgeWord(edge.kind) ?? edge.kind;
  const word = lower.charAt(0).toUpperCase() + lower.slice(1);
  return edge.order === undefined ? word : `${word} ${edge.order}`;
}
