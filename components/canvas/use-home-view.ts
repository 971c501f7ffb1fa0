'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { homeView, sameView, type View } from './home-view';

/** Moves the canvas to its home view, and keeps it there while the window changes size. */
export function useHomeView(frame: RefObject<HTMLElement | null>): () => void {
  const flow = useReactFlow();
  const readProject = useReadProject();
  const last = useRef<View>(undefined);
  const goHome = useCallback(() => {
    const view = frame.current?.getBoundingClientRect();
    if (view === undefined || view.width === 0) return;
    const { picture, points } = readProject();
    last.current = homeView(picture.graph, points, picture.entry, view);
    void flow.setViewport(last.current);
  }, [flow, frame, readProject]);

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
      if (last.current !== undefined && sameView(flow.getViewport(), last.current)) goHome();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [flow, frame, goHome]);
  return goHome;
}
