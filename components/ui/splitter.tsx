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
  const panel = usePanel(storageKey, defaultSize, defaultOpen);
  const [dragged, setDragged] = useState<number>();
  const id = useId();
  const size = dragged ?? panel.size;
  const visible = dragged === undefined ? panel.open : dragged > 0;
  const handle = (
    <PanelHandle
      {...{ side, label, min, max, panel, visible, dragged }}
      controls={id}
      size={visible ? size : 0}
      onDrag={setDragged}
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
        isBeside(side) ? 'max-w-full' : 'max-h-full',
        className,
      )}
      style={isBeside(side) ? { width: size } : { height: size }}
    >
      {children}
    </section>
  );
  return isBefore(side) ? (
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

interface PanelHandleProps extends Pick<ResizablePanelProps, 'side' | 'label'> {
  readonly min: number;
  readonly max: number;
  readonly panel: ReturnType<typeof usePanel>;
  readonly visible: boolean;
  /** The size as it is now, 0 when the panel is closed. */
  readonly size: number;
  /** The size while the handle is dragged, 0 when a release would close the panel. */
  readonly dragged: number | undefined;
  readonly onDrag: (size: number | undefined) => void;
  /** The id of the panel. */
  readonly controls: string;
}

function PanelHandle(props: PanelHandleProps) {
  const { side, label, min, max, panel, visible, size, dragged, onDrag, controls } = props;
  const drag = usePanelDrag(props);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      panel.setOpen(!panel.open);
      return;
    }
    const next = resizePanel({ key: event.key, big: event.shiftKey, side, size: panel.size, min, max });
    if (next === undefined) return;
    event.preventDefault();
    panel.setSize(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be dragged; this is the ARIA window splitter
    <div
      role="separator"
      tabIndex={0}
      aria-label={`Resize ${label}`}
      aria-orientation={isBeside(side) ? 'vertical' : 'horizontal'}
      aria-controls={controls}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.round(size)}
      title={visible ? 'Drag to resize, double click to collapse' : `Double click to open ${label}`}
      {...drag}
      onPointerCancel={() => onDrag(undefined)}
      onDoubleClick={() => panel.setOpen(!panel.open)}
      onKeyDown={onKeyDown}
      className={classNames(
        'relative z-10 shrink-0 touch-none bg-line transition-colors duration-100 hover:bg-accent focus-visible:bg-accent',
        isBeside(side)
          ? 'w-px cursor-col-resize after:absolute after:inset-y-0 after:-inset-x-1'
          : 'h-px cursor-row-resize after:absolute after:inset-x-0 after:-inset-y-1',
        !visible && (isBeside(side) ? 'w-1' : 'h-1'),
        dragged !== undefined && 'bg-accent',
      )}
    />
  );
}

/** Handlers of the pointer. The panel closes when it is dragged below half of `min`. */
function usePanelDrag({ side, min, max, panel, dragged, onDrag }: PanelHandleProps) {
  const start = useRef({ at: 0, size: 0 });
  const at = (event: PointerEvent) => (isBeside(side) ? event.clientX : event.clientY);
  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { at: at(event), size: panel.open ? panel.size : 0 };
      onDrag(start.current.size);
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (dragged === undefined) return;
      const moved = at(event) - start.current.at;
      const wanted = start.current.size + (isBefore(side) ? moved : -moved);
      onDrag(wanted < min / 2 ? 0 : Math.min(max, Math.max(min, wanted)));
    },
    onPointerUp() {
      if (dragged === undefined) return;
      onDrag(undefined);
      if (dragged === 0) panel.setOpen(false);
      else panel.setSize(dragged);
    },
  };
}

/** True for a panel in a row, false for one in a column. */
function isBeside(side: ResizablePanelProps['side']): boolean {
  return side === 'left' || side === 'right';
}

/** True if the panel comes before its handle. */
function isBefore(side: ResizablePanelProps['side']): boolean {
  return side === 'left' || side === 'top';
}
