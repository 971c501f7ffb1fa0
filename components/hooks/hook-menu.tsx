'use client';

import { ChevronRight } from 'lucide-react';
import { ContextMenu, DropdownMenu } from 'radix-ui';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useRun } from '@/components/editor-state/run-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { useShownRunStore } from '@/components/run/shown-run';
import { Keys } from '@/components/ui/kbd';
import { type HookContext, hookActions } from './hook-actions';

export interface HookMenuProps extends Omit<HookContext, 'commands'> {
  /** Gets the id that the hook has after an action, or `undefined` if it is gone or its place did not change. */
  readonly onDone: (id: string | undefined) => void;
  readonly onAdd: () => void;
}

const row =
  'flex w-full cursor-pointer items-center gap-6 rounded px-2 py-1 text-sm outline-none select-none data-[disabled]:cursor-not-allowed data-[highlighted]:bg-hover data-[state=open]:bg-hover data-[disabled]:opacity-50';
const box = 'z-50 max-h-80 min-w-44 overflow-y-auto rounded-lg border bg-raised p-1 shadow-pop';

/** The items of a hook's menu. `kind` says which menu they are in: that of the right mouse button, or that of a button. */
export function HookMenuItems({ kind, ...props }: HookMenuProps & { readonly kind: 'context' | 'dropdown' }) {
  const Menu = kind === 'context' ? ContextMenu : DropdownMenu;
  const commands = useCommands();
  const cards = useProject((state) => state.picture.drawn.cards);
  const { file, agent, entry, onDone, onAdd } = props;
  const others = cards.filter((card) => card.name !== agent && card.type !== 'a2a');
  const mayEdit = useProject((state) => state.mayEdit);
  const actions = hookActions({ ...props, commands });
  const showCalls = useShowCalls(agent, entry.id);
  const calls =
    showCalls === undefined ? null : (
      <Menu.Item className={row} onSelect={showCalls}>
        Calls in the last run
      </Menu.Item>
    );
  if (!mayEdit) {
    return (
      <>
        {actions
          .filter(({ reads }) => reads)
          .map(({ label, run }) => (
            <Menu.Item key={label} className={row} onSelect={() => onDone(run())}>
              {label}
            </Menu.Item>
          ))}
        {calls}
      </>
    );
  }
  const last = actions.at(-1);
  return (
    <>
      {actions.slice(0, -1).map(({ label, keys, disabled = false, run }) => (
        <Menu.Item key={label} disabled={disabled} className={row} onSelect={() => onDone(run())}>
          <span className="flex-1">{label}</span>
          {keys === undefined ? null : <Keys keys={keys} />}
        </Menu.Item>
      ))}
      {calls}
      <Menu.Item className={row} onSelect={onAdd}>
        <span className="flex-1">Add a hook…</span>
        <Keys keys="Insert" />
      </Menu.Item>
      {entry.origin === 'run' || others.length === 0 ? null : (
        <Menu.Sub>
          <Menu.SubTrigger className={row}>
            <span className="flex-1">Copy to</span>
            <ChevronRight aria-hidden className="size-3.5 text-faint" />
          </Menu.SubTrigger>
          <Menu.Portal>
            <Menu.SubContent collisionPadding={8} sideOffset={4} className={box}>
              {others.map((card) => (
                <Menu.Item
                  key={card.file}
                  className={row}
                  onSelect={() => {
                    commands.copyHook(file, entry.id, card.name);
                    onDone(entry.id);
                  }}
                >
                  {card.name}
                </Menu.Item>
              ))}
            </Menu.SubContent>
          </Menu.Portal>
        </Menu.Sub>
      )}
      {last === undefined ? null : (
        <Menu.Item className={`${row} text-bad`} onSelect={() => onDone(last.run())}>
          <span className="flex-1">{last.label}</span>
          {last.keys === undefined ? null : <Keys keys={last.keys} />}
        </Menu.Item>
      )}
    </>
  );
}

/** Returns what shows the calls of a hook in the inspector, once there is a run. */
function useShowCalls(agent: string, hook: string): (() => void) | undefined {
  const { select, show } = useActions();
  const hasRun = useRun((state) => state.runId !== undefined);
  const store = useShownRunStore();
  if (!hasRun) return undefined;
  return () => {
    const id = `agent:${agent}`;
    store.setState({ hook: { agent: id, id: hook } });
    select([id]);
    show({ inspectorTab: 'run', narrowPanel: 'inspector' });
  };
}
