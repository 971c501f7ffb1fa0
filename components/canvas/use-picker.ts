'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback, useMemo, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import type { NodeId, Point } from '@/lib/graph/graph';
import type { PickerRequest } from './node-picker';

/** Opens the node picker, at a place of the screen or beside the source. */
export type OpenPicker = (request: PickerWish) => void;

interface PickerWish {
  readonly screen?: Point;
  readonly source?: NodeId | undefined;
  /** What is listed. Without it, everything is. */
  readonly what?: PickerRequest['what'];
}

/** The node picker of the canvas. It is opened by a gesture or a key here, or by the palette (`picking` of the project). */
export function usePicker(frame: RefObject<HTMLElement | null>) {
  const flow = useReactFlow();
  const actions = useActions();
  const picking = useProject((state) => state.picking);
  const [wanted, setWanted] = useState<PickerWish>({});

  const open = useCallback<OpenPicker>(
    (request) => {
      setWanted(request);
      actions.show({ picking: request.what ?? 'all' });
    },
    [actions],
  );
  const close = useCallback(() => {
    setWanted({});
    actions.show({ picking: undefined });
  }, [actions]);

  const request = useMemo((): PickerRequest | undefined => {
    const view = frame.current?.getBoundingClientRect();
    if (picking === undefined || view === undefined) return undefined;
    const { screen, source } = wanted;
    const node = flow.getInternalNode(source ?? '');
    const beside =
      node === undefined
        ? { x: view.x + view.width / 2 - 144, y: view.y + view.height / 5 }
        : flow.flowToScreenPosition({
            x: node.internals.positionAbsolute.x + (node.measured.width ?? 0),
            y: node.internals.positionAbsolute.y,
          });
    const at = screen === undefined ? undefined : flow.screenToFlowPosition(screen);
    return { screen: screen ?? beside, at, source, what: picking };
  }, [picking, wanted, flow, frame]);
  return { request, open, close };
}
