'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback, useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import type { Picking } from '@/lib/editor/project-state';
import type { PickerRequest } from './node-picker';

/** Opens the node picker, at a place of the screen or beside the source. */
export type OpenPicker = (request: PickerWish) => void;

/** A wish without `what` lists everything. */
type PickerWish = Omit<Picking, 'what'> & Partial<Pick<Picking, 'what'>>;

/** The node picker of the canvas. A gesture or a key opens it here, a menu or the side panel elsewhere (`picking` of the project). */
export function usePicker(frame: RefObject<HTMLElement | null>) {
  const flow = useReactFlow();
  const actions = useActions();
  const picking = useProject((state) => state.picking);

  const open = useCallback<OpenPicker>(
    (wish) => actions.show({ picking: { ...wish, what: wish.what ?? 'all' } }),
    [actions],
  );
  const close = useCallback(() => actions.show({ picking: undefined }), [actions]);

  const request = useMemo((): PickerRequest | undefined => {
    const view = frame.current?.getBoundingClientRect();
    if (picking === undefined || view === undefined) return undefined;
    const { screen, list, source, what } = picking;
    const node = flow.getInternalNode(source ?? '');
    const beside =
      node === undefined
        ? { x: view.x + view.width / 2 - 144, y: view.y + view.height / 5 }
        : flow.flowToScreenPosition({
            x: node.internals.positionAbsolute.x + (node.measured.width ?? 0),
            y: node.internals.positionAbsolute.y,
          });
    const at = screen === undefined ? undefined : flow.screenToFlowPosition(screen);
    return { screen: screen ?? list ?? beside, at, source, what };
  }, [picking, flow, frame]);
  return { request, open, close };
}
