'use client';

import { History } from 'lucide-react';
import { useMemo } from 'react';
import { useBench, useBenchActions } from '@/components/editor-state/hook-bench-context';
import { useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { PickOne } from '@/components/ui/picker';
import type { PickerOption } from '@/components/ui/picker-rows';
import { Select } from '@/components/ui/select';
import type { HookChoice } from '@/lib/base/hook-report';
import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import type { BenchForm as Form } from '@/lib/editor/bench-form';
import { hookChoiceOf, isSameChoice } from '@/lib/editor/hook-choice';
import { type ChainEntry, hookChain } from '@/lib/graph/hook-chain';
import { previewSurface } from '@/lib/runtime/surface/surface-preview';

const sources = [
  { value: 'mcp', label: 'MCP server' },
  { value: 'function', label: 'Function' },
  { value: 'agent', label: 'Agent' },
  { value: 'runtime', label: 'Built-in' },
] as const;

const mono = 'font-mono text-xs leading-5';

/** The call, the answer of its tool, and which hooks run. */
export function BenchForm(props: { readonly picking: boolean; readonly onPick: () => void }) {
  const form = useBench((state) => state.form);
  const actions = useBenchActions();
  const card = useProject((state) => state.picture.drawn.cards.find(({ name }) => name === form.agent));
  const tools = useTools(card);
  const pick = (tool: string) => {
    const known = tools.find(({ option }) => option.value === tool);
    actions.set({ tool, ...(known && { source: known.source, server: known.server }) });
  };
  return (
    <section aria-label="Call" className="flex min-w-0 flex-col gap-3">
      <HookPicker card={card} only={form.only} />
      <Field label="Tool">
        {(ids) => (
          <PickOne
            {...ids}
            label="Tool"
            value={form.tool === '' ? undefined : form.tool}
            placeholder="Choose or type a name"
            freeText
            options={tools.map(({ option }) => option)}
            onChange={(tool) => pick(tool ?? '')}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Kind of tool">
          {(ids) => (
            <Select
              {...ids}
              value={form.source}
              options={sources}
              onValueChange={(value) => {
                const source = sources.find((one) => one.value === value)?.value;
                if (source !== undefined) actions.set({ source });
              }}
            />
          )}
        </Field>
        {form.source === 'mcp' ? (
          <Field label="Server">
            {(ids) => (
              <Input {...ids} value={form.server} onChange={(event) => actions.set({ server: event.target.value })} />
            )}
          </Field>
        ) : null}
      </div>
      <Texts form={form} />
      {props.picking ? null : (
        <Button
          size="sm"
          className="self-start"
          icon={<History aria-hidden className="size-3.5" />}
          onClick={props.onPick}
        >
          Take a call of a run…
        </Button>
      )}
    </section>
  );
}

function Texts({ form }: { readonly form: Form }) {
  const actions = useBenchActions();
  return (
    <>
      <Field label="Arguments" hint="A JSON object.">
        {(ids) => (
          <Textarea
            {...ids}
            rows={5}
            spellCheck={false}
            className={mono}
            value={form.arguments}
            onChange={(event) => actions.set({ arguments: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Result of the tool"
        hint={
          <>
            Text, or JSON such as <code>{'{"content": [], "isError": true}'}</code>.
          </>
        }
      >
        {(ids) => (
          <Textarea
            {...ids}
            rows={4}
            spellCheck={false}
            className={mono}
            value={form.result}
            onChange={(event) => actions.set({ result: event.target.value })}
          />
        )}
      </Field>
      <details>
        <summary className="cursor-pointer rounded-sm font-medium text-muted text-xs hover:text-ink">
          State that hooks may read
        </summary>
        <Textarea
          aria-label="State that hooks may read"
          rows={3}
          spellCheck={false}
          className={`mt-1 ${mono}`}
          value={form.state}
          onChange={(event) => actions.set({ state: event.target.value })}
        />
      </details>
    </>
  );
}

const all = 'all';

function HookPicker(props: { readonly card: Card | undefined; readonly only: HookChoice | undefined }) {
  const { card, only } = props;
  const parsed = useProject((state) => state.picture.drawn);
  const actions = useBenchActions();
  const chain = useMemo(() => (card === undefined ? [] : hookChain(card, parsed)), [card, parsed]);
  const chosen = chain.find((entry) => isSameChoice(hookChoiceOf(entry), only));
  const options: readonly PickerOption[] = [
    { value: all, label: 'All hooks of the agent', note: 'As they run in a turn with this one call' },
    ...chain.map((entry) => ({ value: entry.id, label: entry.spec, note: placeOf(entry) })),
  ];
  return (
    <Field
      label="Hooks"
      {...(chain.length === 0 && { hint: 'The agent has no hooks yet, so the call goes through unchanged.' })}
    >
      {(ids) => (
        <PickOne
          {...ids}
          label="Hooks"
          value={only === undefined ? all : (chosen?.id ?? 'a deleted hook')}
          options={options}
          onChange={(id) => {
            const entry = chain.find((one) => one.id === id);
            actions.set({ only: entry && hookChoiceOf(entry) });
          }}
        />
      )}
    </Field>
  );
}

function placeOf({ origin, phase, place }: ChainEntry): string {
  if (phase !== 'around') return phase;
  const where = { run: 'of the run', 'agent settings': 'of the agent, in callboard.yaml', card: 'of the card' }[origin];
  return `Wraps the call, number ${place}, ${where}`;
}

interface KnownTool {
  readonly option: PickerOption;
  readonly source: Form['source'];
  readonly server: string;
}

/** Lists the tools of the agent that the folder alone determines. */
function useTools(card: Card | undefined): readonly KnownTool[] {
  const parsed = useProject((state) => state.picture.drawn);
  const folder = useProject((state) => state.document.folder);
  return useMemo(() => {
    if (card === undefined) return [];
    const { servers, tools } = previewSurface(parsed, folder, agentView(card));
    const ofServers = servers.flatMap(({ name, tools: patterns = [] }) =>
      patterns
        .filter((pattern) => !/[*?[]/.test(pattern))
        .map((tool): KnownTool => toolOf(`${name}__${tool}`, 'mcp', name)),
    );
    return [...ofServers, ...tools.map(({ name, source }) => toolOf(name, source, ''))];
  }, [card, parsed, folder]);
}

function toolOf(name: string, source: Form['source'], server: string): KnownTool {
  const group = sources.find(({ value }) => value === source)?.label;
  return { option: { value: name, label: name, group }, source, server };
}
