import type { Commands } from '@/lib/editor/commands';
import type { ChainEntry } from '@/lib/graph/hook-chain';

/** One line of a hook's menu, on the canvas and in the inspector alike. */
export interface HookAction {
  readonly label: string;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** True if it changes no file. */
  readonly reads?: boolean;
  /** The id that the hook has afterwards, so that the focus follows it. */
  readonly run: () => string | undefined;
}

export interface HookContext {
  readonly file: string;
  readonly agent: string;
  readonly entry: ChainEntry;
  /** The number of hooks that wrap calls. */
  readonly around: number;
  readonly commands: Commands;
}

/** Returns what can be done with a hook, the most usual first. */
export function hookActions({ file, agent, entry, around, commands }: HookContext): readonly HookAction[] {
  const { id, place } = entry;
  const isAround = entry.phase === 'around';
  const keep = (act: () => void) => () => {
    act();
    return undefined;
  };
  return [
    { label: 'Show form', reads: true, run: keep(() => commands.showHook(file, id)) },
    entry.missing && entry.kind === 'code'
      ? { label: `Create ${entry.functionName}`, run: keep(() => commands.createHookCode(file, id)) }
      : {
          label: entry.kind === 'code' ? 'Open code' : 'Open text',
          keys: 'Enter',
          reads: true,
          run: keep(() => commands.openHook(file, id)),
        },
    {
      label: entry.off ? 'Switch on' : 'Switch off',
      keys: 'O',
      run: () => commands.setHookOff(file, id, !entry.off),
    },
    { label: 'Try it…', run: keep(() => commands.openHookBench(agent, id)) },
    ...(isAround
      ? [
          {
            label: 'Move outward',
            keys: 'Alt+←',
            disabled: place === 1,
            run: () => commands.moveHook(file, id, place - 2),
          },
          {
            label: 'Move inward',
            keys: 'Alt+→',
            disabled: place === around,
            run: () => commands.moveHook(file, id, place),
          },
        ]
      : []),
    ...(isAround && entry.origin !== 'run'
      ? [{ label: 'Use everywhere', run: () => commands.spreadHook(file, id) }]
      : []),
    { label: 'Remove', keys: 'Delete', danger: true, run: keep(() => commands.removeHook(file, id)) },
  ];
}
