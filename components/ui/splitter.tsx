'use client';

import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from './class-names';
import { parsePanel, resizePanel } from './panel-size';
import { useRemembered } from './remembered';

export interface ResizablePanelProps {
  /** The place of the panel in its flex row (left, right) or column (top, bottom). Its handle faces the rest. */
  readonly side: 'left' | 'right' | 'top' | 'bottom';
  /** The name for the handle and the region, such as "Inspector". */
  readonly label: string;
  /** The size, and whether the panel is open, are remembered under this key. */
  readonly storageKey: string;
  /** The size in pixels. */
  readonly defaultSize: number;
  /** Whether the panel is open before anybody opened or closed it; true by default. */
  readonly defaultOpen?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Returns open state and size of a panel, for buttons elsewhere that toggle it. `storageKey` connects them. */
export function usePanel(storageKey: string, defaultSize: number, defaultOpen = true) {
  const [stored, store] = useRemembered(`panel.${storageKey}`, '');
  const panel = parsePanel(stored, defaultSize, defaultOpen);
  return {
    ...panel,
    setSize: (size: number) => store(`${Math.round(size)}`),
    setOpen: (open: boolean) => store(`${panel.size}${open ? '' : ' closed'}`),
  };
}

/**
 * A panel with a handle. The handle can be dragged, or focused and moved with the arrows (Shift for bigger steps), Home and
 * End. Enter or a double click collapses and opens the panel. Put it beside a `flex-1 min-w-0 min-h-0` sibling.
 */
export function ResizablePanel(props: ResizablePanelProps) {
  const { side, label, storageKey, defaultSize, defaultOpen = true, min = 160, max = 900, className, children } = props;
  const { size, open, setSize, setOpen } = usePanel(storageKey, defaultSize, defaultOpen);
  const [dragged, setDragged] = useState<number>();
  const start = useRef({ at: 0, size: 0 });
  const id = useId();
  const horizontal = side === 'left' || side === 'right';
  const shown = dragged ?? size;

  const at = (event: PointerEvent) => (horizontal ? event.clientX : event.clientY);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { at: at(event), size: open ? size : 0 };
    setDragged(open ? size : 0);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (dragged === undefined) return;
    const moved = at(event) - start.current.at;
    const wanted = start.current.size + (side === 'left' || side === 'top' ? moved : -moved);
    setDragged(wanted < min / 2 ? 0 : Math.min(max, Math.max(min, wanted)));
  };
  const onPointerUp = () => {
    if (dragged === undefined) return;
    setDragged(undefined);
    if (dragged === 0) setOpen(false);
    else setSize(dragged);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      setOpen(!open);
      return;
    }
    const next = resizePanel({ key: event.key, big: event.shiftKey, side, size, min, max });
    if (next === undefined) return;
    event.preventDefault();
    setSize(next);
  };

  const visible = dragged === undefined ? open : dragged > 0;
  const handle = (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be dragged; this is the ARIA window splitter
    <div
      role="separator"
      tabIndex={0}
      aria-label={`Resize ${label}`}
      aria-orientation={horizontal ? 'vertical' : 'horizontal'}
      aria-controls={id}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={visible ? Math.round(shown) : 0}
      title={visible ? 'Drag to resize, double click to collapse' : `Double click to open ${label}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDragged(undefined)}
      onDoubleClick={() => setOpen(!open)}
      onKeyDown={onKeyDown}
      className={classNames(
        'relative z-10 shrink-0 touch-none bg-line transition-colors duration-100 hover:bg-accent focus-visible:bg-accent',
        horizontal
          ? 'w-px cursor-col-resize after:absolute after:inset-y-0 after:-inset-x-1'
          : 'h-px cursor-row-resize after:absolute after:inset-x-0 after:-inset-y-1',
        !visible && (horizontal ? 'w-1' : 'h-1'),
        dragged !== undefined && 'bg-accent',
      )}
    />
  );
  const body = (
    <section
      id={id}
      aria-label={label}
      hidden={!visible}
      className={classNames(
        'min-h-0 min-w-0 shrink-0 overflow-hidden bg-surface',
        visible && 'flex flex-col',
        horizontal ? 'max-w-full' : 'max-h-full',
        className,
      )}
      style={horizontal ? { width: shown } : { height: shown }}
    >
      {children}
    </section>
  );
  return side === 'left' || side === 'top' ? (
    <>
      {body}
      {handle}
    </>
  ) : (
    <>
      {handle}
      {body}
    </>
  );
}
