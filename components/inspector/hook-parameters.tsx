'use client';

import { useMemo, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useServers } from '@/components/editor-state/servers-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Field } from '@/components/ui/field';
import { PickOne } from '@/components/ui/picker';
import { Select } from '@/components/ui/select';
import type { Json, JsonObject } from '@/lib/base/json';
import { parseJson } from '@/lib/base/json';
import { agentView } from '@/lib/cards/agent-view';
import { type DeclarativeKind, parameterFaults } from '@/lib/cards/hook-settings';
import { type ArgumentChoice, argumentChoices } from '@/lib/editor/hook-arguments';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { type HookField, hookFields } from '@/lib/graph/hook-fields';
import { previewSurface } from '@/lib/runtime/surface/surface-preview';
import { DraftInput, DraftLines } from './draft-input';
import { NumberInput } from './number-input';

type Changes = Readonly<Record<string, Json | undefined>>;

/**
 * The parameters of a hook without code, as a form made from their schema. Values are written when all of them are valid
 * together; until then the form keeps them and says what is wrong.
 */
export function HookParameters(props: {
  readonly file: string;
  readonly entry: ChainEntry;
  readonly kind: DeclarativeKind;
}) {
  const { file, entry, kind } = props;
  const names = hookFields(kind).map(({ name }) => name);
  const choices = useArgumentChoices(
    file,
    names.some((name) => isArgument(kind, name)),
    entry.parameters.when,
  );
  const commands = useCommands();
  /** Typed values that are not valid yet. */
  const [waiting, setWaiting] = useState<Changes>({});
  const [numberFault, setNumberFault] = useState<Readonly<Record<string, string | undefined>>>({});
  const shown = { ...entry.parameters, ...waiting };
  const faults = parameterFaults(kind, shown);
  const set = (name: string, value: Json | undefined) => {
    const changes = { ...waiting, [name]: value };
    if (parameterFaults(kind, { ...entry.parameters, ...changes }).length > 0) return setWaiting(changes);
    setWaiting({});
    commands.setHookParameters(file, entry.id, changes);
  };
  const faultOf = (name: string) => numberFault[name] ?? faults.find(({ path }) => path[0] === name)?.message;
  const general = faults.find(({ path }) => path[0] !== 'when' && !names.includes(String(path[0])))?.message;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2">
        {hookFields(kind).map((field) => (
          <div key={field.name} className={isShort(field) ? 'min-w-0' : 'col-span-2 min-w-0'}>
            <Field label={labelOf(field)} error={faultOf(field.name)}>
              {(ids) => (
                <ParameterInput
                  ids={ids}
                  field={field}
                  choices={isArgument(kind, field.name) ? choices : noChoices}
                  value={shown[field.name]}
                  onChange={(value) => set(field.name, value)}
                  onFault={(fault) => setNumberFault((all) => ({ ...all, [field.name]: fault }))}
                />
              )}
            </Field>
          </div>
        ))}
      </div>
      {general === undefined ? null : (
        <p role="alert" className="text-bad text-xs">
          {general}
        </p>
      )}
      <WhenFields
        when={isObject(shown.when) ? shown.when : {}}
        fault={faultOf('when')}
        onChange={(when) => set('when', Object.keys(when).length === 0 ? undefined : when)}
      />
    </div>
  );
}

const noChoices: readonly ArgumentChoice[] = [];

/** True for a parameter that names an argument of the tool. */
function isArgument(kind: DeclarativeKind, name: string): boolean {
  return name === 'argument' || (kind === 'rename' && (name === 'from' || name === 'to'));
}

/** Returns the names of arguments of the tools that the agent has and the hook sees. There are none for other hooks. */
function useArgumentChoices(file: string, isWanted: boolean, when: Json | undefined): readonly ArgumentChoice[] {
  const parsed = useProject((state) => state.picture.drawn);
  const folder = useProject((state) => state.document.folder);
  const known = useServers((state) => state.known);
  const surface = useMemo(() => {
    const card = isWanted ? parsed.cards.find((one) => one.file === file) : undefined;
    if (card === undefined) return undefined;
    const listings = Object.entries(known).map(([name, { listing }]) => [name, listing] as const);
    const agent = agentView(card);
    return { agent, tools: previewSurface(parsed, folder, agent, Object.fromEntries(listings)).tools };
  }, [parsed, folder, known, file, isWanted]);
  if (surface === undefined) return noChoices;
  return argumentChoices(surface.tools, folder, surface.agent, isObject(when) ? when : {});
}

function isShort({ kind }: HookField): boolean {
  return kind === 'number' || kind === 'choice' || kind === 'flag';
}

function labelOf({ name, required }: HookField): string {
  return required ? `${name} (required)` : name;
}

interface ParameterInputProps {
  readonly ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined };
  readonly field: HookField;
  /** The names that it may be, if it is the name of an argument. Any other name may be typed. */
  readonly choices: readonly ArgumentChoice[];
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly onFault: (fault: string | undefined) => void;
}

/** The input of one parameter. `undefined` resets it to its default. */
function ParameterInput({ ids, field, choices, value, onChange, onFault }: ParameterInputProps) {
  switch (field.kind) {
    case 'number':
      return (
        <NumberInput
          {...ids}
          value={value}
          placeholder={typeof field.fallback === 'number' ? `${field.fallback}` : ''}
          limits={{ least: field.least, whole: field.whole }}
          onChange={onChange}
          onFault={onFault}
        />
      );
    case 'flag':
    case 'choice': {
      const options = field.kind === 'flag' ? ['false', 'true'] : field.options;
      return (
        <Select
          {...ids}
          size="sm"
          value={`${value ?? field.fallback ?? ''}`}
          options={options.map((one) => ({ value: one, label: one }))}
          onValueChange={(next) => onChange(field.kind === 'flag' ? next === 'true' : next)}
        />
      );
    }
    case 'list':
      return (
        <DraftLines
          {...ids}
          rows={2}
          className="font-mono text-xs"
          value={Array.isArray(value) ? value.join('\n') : ''}
          placeholder="one a line"
          onCommit={(text) => onChange(linesOf(text))}
        />
      );
    case 'value':
      return (
        <DraftInput
          {...ids}
          className="font-mono"
          value={value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)}
          placeholder='text, 3, true, ["a"]'
          onCommit={(text) => onChange(parseJson(text) ?? text)}
        />
      );
    case 'text':
      if (choices.length > 0) {
        return (
          <PickOne
            {...ids}
            label={field.name}
            size="sm"
            value={typeof value === 'string' ? value : undefined}
            options={choices.map(({ name, tools }) => ({ value: name, label: name, note: tools.join(', ') }))}
            placeholder="An argument"
            searchPlaceholder="Search or type a name…"
            freeText
            onChange={onChange}
          />
        );
      }
      return (
        <DraftInput
          {...ids}
          value={typeof value === 'string' ? value : ''}
          placeholder={typeof field.fallback === 'string' ? field.fallback : ''}
          onCommit={(text) => onChange(text === '' && !field.required ? undefined : text)}
        />
      );
  }
}

const anySource = 'any';

/** The filter that says which calls a hook sees. */
function WhenFields(props: {
  readonly when: JsonObject;
  readonly fault: string | undefined;
  readonly onChange: (when: JsonObject) => void;
}) {
  const { when, fault, onChange } = props;
  const set = (key: string, value: Json | undefined) => {
    const { [key]: _, ...others } = when;
    onChange(value === undefined ? others : { ...others, [key]: value });
  };
  const patternsOf = (key: 'tool' | 'server') => ({
    value: [when[key] ?? []].flat().join(', '),
    placeholder: `every ${key}`,
    onCommit: (text: string) => {
      const list = text.split(',').flatMap((part) => part.trim() || []);
      set(key, list.length === 0 ? undefined : list.length === 1 ? (list[0] ?? '') : list);
    },
  });
  const source =
    typeof when.source === 'string' ? when.source : Array.isArray(when.source) ? when.source.join(', ') : anySource;
  const sources = [anySource, 'mcp', 'function', 'agent', 'runtime'];
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded border border-line px-2 pt-1 pb-2">
      <legend className="px-1 text-muted text-xs">Only calls of</legend>
      <Field label="Tools" error={fault} hint="Patterns with * and ?, comma separated. Empty: every tool.">
        {(ids) => <DraftInput {...ids} {...patternsOf('tool')} late className="font-mono" />}
      </Field>
      <div className="grid grid-cols-2 gap-2">
        <Field label="Servers">
          {(ids) => <DraftInput {...ids} {...patternsOf('server')} late className="font-mono" />}
        </Field>
        <Field label="Source">
          {(ids) => (
            <Select
              {...ids}
              value={source}
              options={(sources.includes(source) ? sources : [source, ...sources]).map((one) => ({
                value: one,
                label: one,
              }))}
              onValueChange={(value) => set('source', value === anySource ? undefined : value)}
            />
          )}
        </Field>
      </div>
    </fieldset>
  );
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
