'use client';

import { Plus, SlidersHorizontal, SquareFunction } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type RefObject, type SyntheticEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { PickerList } from '@/components/ui/picker-list';
import type { PickerContent, PickerOption } from '@/components/ui/picker-rows';
import { Select } from '@/components/ui/select';
import { toolHookPhases } from '@/lib/cards/card';
import { declarativeKinds } from '@/lib/cards/hook-settings';
import type { HookPhase } from '@/lib/graph/hook-chain';
import { hookFunctions } from '@/lib/graph/hook-functions';
import { kindWords, phaseWords, startingParameters } from '@/lib/graph/hook-words';
import { NewCodeForm } from './new-code-form';

/** Where a hook is added: its position among those that wrap calls, and the control that was pressed. */
export interface Adding {
  readonly at: number | undefined;
  readonly anchor: RefObject<HTMLElement | null>;
}

interface AddHookProps {
  readonly file: string;
  readonly agent: string;
  /** False for a workflow, which has no phases of its own. */
  readonly hasPhases: boolean;
  readonly adding: Adding | undefined;
  readonly onClose: () => void;
  /** Gets the id of the new hook. */
  readonly onAdded: (id: string) => void;
}

/** The palette of hooks: kinds without code, functions of the project that are hooks, and a new function. */
export function AddHook(props: AddHookProps) {
  const { adding, onClose } = props;
  /** The control that gets the focus back, unless a hook was added and takes it. */
  const opener = useRef<HTMLElement>(null);
  useEffect(() => {
    if (adding !== undefined) opener.current = adding.anchor.current;
  }, [adding]);
  return (
    <Popover.Root open={adding !== undefined} onOpenChange={(open) => (open ? undefined : onClose())}>
      {adding === undefined ? null : <Popover.Anchor virtualRef={{ current: adding.anchor.current ?? nowhere }} />}
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={8}
          collisionPadding={8}
          aria-label={`Add a hook to ${props.agent}`}
          className="z-50 w-80 max-w-[calc(100vw-1rem)] overflow-hidden rounded-lg border bg-raised shadow-pop outline-none"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            opener.current?.focus({ preventScroll: true });
          }}
          {...keptFromCanvas}
        >
          <Palette
            {...props}
            onAdded={(id) => {
              opener.current = null;
              props.onAdded(id);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const nowhere = { getBoundingClientRect: () => new DOMRect() };

/** React hands events of a popover to the node that opened it, where a double click would open the node. */
const stop = (event: SyntheticEvent) => event.stopPropagation();
const keptFromCanvas = {
  onClick: stop,
  onDoubleClick: stop,
  onKeyDown: stop,
  onContextMenu: stop,
  onPointerDown: stop,
};

const everyPhase: readonly HookPhase[] = ['around', 'on_start', ...toolHookPhases, 'on_shutdown'];

function Palette({ file, agent, hasPhases, adding, onClose, onAdded }: AddHookProps) {
  const commands = useCommands();
  const [phase, setPhase] = useState<HookPhase>('around');
  const [scope, setScope] = useState<'agent' | 'run'>('agent');
  const [newName, setNewName] = useState<string>();
  const options = useOptions(phase);
  const place = {
    phase,
    at: scope === 'run' ? undefined : adding?.at,
    everywhere: scope === 'run' && phase === 'around',
  };
  const finish = (id: string | undefined) => {
    onClose();
    if (id !== undefined) onAdded(id);
  };
  if (newName !== undefined) {
    return (
      <NewCodeForm
        kind="hook"
        name={newName}
        placeholder={phase === 'around' ? 'audit_hook' : phase}
        onBack={() => setNewName(undefined)}
        onCreate={(codeFile, functionName) =>
          finish(commands.addNewHook(file, { kind: 'code', file: codeFile, functionName }, place))
        }
      />
    );
  }
  const content: PickerContent = {
    options: [...options.values()].map(({ option }) => option),
    actions: [
      {
        label: (typed) => (/^[A-Za-z_]\w*$/.test(typed) ? `New hook '${typed}'…` : 'New hook…'),
        icon: <Plus aria-hidden />,
        onSelect: setNewName,
      },
    ],
  };
  return (
    <>
      <When {...{ agent, hasPhases, phase, setPhase, scope, setScope }} />
      <PickerList
        key={phase}
        label="Hook to add"
        content={content}
        chosen={nothing}
        many={false}
        typed=""
        searchPlaceholder="Search hooks…"
        onSelect={(row, typed) => {
          if (row.kind === 'action') row.action.onSelect(typed);
          if (row.kind !== 'option') return;
          const hook = options.get(row.option.value)?.hook;
          if (hook !== undefined) finish(commands.addHook(file, hook, place));
        }}
        onLeave={onClose}
      />
    </>
  );
}

/** When the hook runs, and for whom. */
function When(props: {
  readonly agent: string;
  readonly hasPhases: boolean;
  readonly phase: HookPhase;
  readonly setPhase: (phase: HookPhase) => void;
  readonly scope: 'agent' | 'run';
  readonly setScope: (scope: 'agent' | 'run') => void;
}) {
  const { agent, phase, setPhase, scope, setScope } = props;
  const phases = props.hasPhases ? everyPhase : everyPhase.slice(0, 1);
  return (
    <div className="flex gap-2 border-b p-2">
      <Select
        size="sm"
        aria-label="When the hook runs"
        value={phase}
        options={phases.map((one) => ({
          value: one,
          label: phaseWords[one],
          ...(one === 'around' ? {} : { hint: one }),
        }))}
        onValueChange={(value) => setPhase(everyPhase.find((one) => one === value) ?? 'around')}
      />
      <Select
        size="sm"
        aria-label="Whose calls the hook wraps"
        className="max-w-32"
        disabled={phase !== 'around'}
        value={phase === 'around' ? scope : 'agent'}
        options={[
          { value: 'agent', label: agent },
          { value: 'run', label: 'Every agent' },
        ]}
        onValueChange={(value) => setScope(value === 'run' ? 'run' : 'agent')}
      />
    </div>
  );
}

const nothing: ReadonlySet<string> = new Set();

interface Offer {
  readonly option: PickerOption;
  readonly hook: Parameters<ReturnType<typeof useCommands>['addHook']>[1];
}

/** Returns what can be added at a phase, by the value of its row. */
function useOptions(phase: HookPhase): ReadonlyMap<string, Offer> {
  const folder = useProject((state) => state.document.folder);
  return useMemo(() => {
    const offers = new Map<string, Offer>();
    for (const kind of phase === 'around' ? declarativeKinds : []) {
      const icon = <SlidersHorizontal aria-hidden />;
      offers.set(kind, {
        option: { value: kind, label: kind, note: kindWords[kind], group: 'Without code', icon },
        hook: { kind, parameters: startingParameters(kind) },
      });
    }
    for (const code of hookFunctions(folder, phase === 'around' ? 'around' : 'phase')) {
      const value = `${code.file}:${code.functionName}`;
      const icon = <SquareFunction aria-hidden />;
      offers.set(value, {
        option: { value, label: code.functionName, note: code.file, group: 'Functions of this project', icon },
        hook: code,
      });
    }
    return offers;
  }, [folder, phase]);
}
