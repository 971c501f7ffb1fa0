'use client';

import { Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type RefObject, type SyntheticEvent, useRef } from 'react';
import { later } from '@/components/ui/later';

/** The whole chain of an agent. */
export const HookList = later(async () => (await import('./hook-list')).HookList);

/** Adds a hook between two others, or behind the last. */
export function AddButton(props: {
  readonly label: string;
  readonly text?: string;
  /** True for the one button of the row that Tab reaches. */
  readonly focusable?: boolean;
  readonly onAdd: (anchor: RefObject<HTMLElement | null>) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <button
      ref={button}
      type="button"
      aria-label={props.label}
      title={props.label}
      tabIndex={props.focusable ? 0 : -1}
      className={`flex h-4 cursor-pointer items-center justify-center gap-0.5 rounded-full border border-line-strong bg-surface text-[10px] text-muted outline-none hover:border-hook hover:text-hook focus-visible:ring-2 focus-visible:ring-accent ${
        props.text === undefined ? '-translate-x-1/2 -translate-y-1/2 absolute top-1/2 left-1/2 z-10 w-4' : 'px-1.5'
      }`}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
      }}
      onClick={(event) => {
        event.stopPropagation();
        props.onAdd(button);
      }}
    >
      <Plus aria-hidden className="size-3" />
      {props.text}
    </button>
  );
}

/** Shows where a dragged hook would be dropped, or why it cannot be dropped there. */
export function DropMark({ reason }: { readonly reason: string | undefined }) {
  return (
    <>
      <span
        className={`-translate-x-1/2 absolute top-0 bottom-0 left-1/2 z-10 w-0.5 rounded-full ${reason === undefined ? 'bg-accent' : 'bg-bad'}`}
      />
      {reason === undefined ? null : (
        <span
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 w-64 rounded border border-bad bg-bad-soft px-2 py-1 text-bad text-xs shadow-pop"
        >
          {reason}
        </span>
      )}
    </>
  );
}

const stop = (event: SyntheticEvent) => event.stopPropagation();

/** Stands for the hooks that have no room. It opens a list of the whole chain. */
export function RestBead(props: {
  readonly agent: string;
  readonly file: string;
  readonly count: number;
  readonly selected: boolean;
  /** True if no other bead has room. */
  readonly alone: boolean;
}) {
  const { agent, file, count, selected, alone } = props;
  const words = alone ? `${count} hooks of ${agent}` : `${count} more hooks of ${agent}`;
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          data-rest
          aria-label={words}
          title={words}
          tabIndex={selected ? 0 : -1}
          className="relative flex h-5 w-[30px] cursor-pointer items-center justify-center rounded-full border border-hook bg-hook-soft cb-bead text-hook outline-none focus-visible:ring-2 focus-visible:ring-accent"
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
          }}
          onClick={(event) => event.stopPropagation()}
        >
          {alone ? count : `+${count}`}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={8}
          collisionPadding={8}
          aria-label={`Hooks of ${agent}`}
          className="z-50 max-h-96 w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border bg-raised p-2 shadow-pop outline-none"
          onClick={stop}
          onDoubleClick={stop}
          onKeyDown={stop}
          onContextMenu={stop}
        >
          <HookList file={file} agent={agent} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
