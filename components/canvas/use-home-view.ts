'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import type { ProjectState } from '@/lib/editor/project-state';
import type { Size } from '@/lib/graph/size';
import { homeView, sameView, type View, wholeView } from './home-view';

/**
 * Returns functions that move the canvas to the view with which it opens, and to the view of everything. The canvas stays in
 * either while the window changes size.
 */
export function useHomeView(frame: RefObject<HTMLElement | null>) {
  const flow = useReactFlow();
  const readProject = useReadProject();
  const last = useRef<{ readonly view: View; readonly again: () => void }>(undefined);
  const goTo = useCallback(
    (viewOf: (project: ProjectState, frame: Size) => View) => {
      const size = frame.current?.getBoundingClientRect();
      if (size === undefined || size.width === 0) return;
      const view = viewOf(readProject(), size);
      last.current = { view, again: () => goTo(viewOf) };
      void flow.setViewport(view);
    },
    [flow, frame, readProject],
  );
  const goHome = useCallback(
    () =>
      goTo(({ picture, points }, size) =>
        homeView(picture.graph, points, picture.entry, size, picture.drawn.settings.canvas),
      ),
    [goTo],
  );
  const fitAll = useCallback(
    () => goTo(({ picture, points }, size) => wholeView(picture.graph, points, size, picture.drawn.settings.canvas)),
    [goTo],
  );

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const windowSize = () => `${window.innerWidth} ${window.innerHeight}`;
    let before = windowSize();
    // The size of the frame is observed, because panels may open or close with the window. Dragging a panel alone moves
    // nothing.
    const observer = new ResizeObserver(() => {
      const now = windowSize();
      if (now === before) return;
      before = now;
      if (last.current !== undefined && sameView(flow.getViewport(), last.current.view)) last.current.again();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [flow, frame]);
  return { goHome, fitAll };
}
