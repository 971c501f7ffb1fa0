'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback } from 'react';
import { useReadProject } from '@/components/editor/project-context';
import { homeView } from './home-view';

/** Brings the canvas to its home view. */
export function useHomeView(frame: RefObject<HTMLElement | null>): () => void {
  const flow = useReactFlow();
  const readProject = useReadProject();
  return useCallback(() => {
    const view = frame.current?.getBoundingClientRect();
    if (view === undefined || view.width === 0) return;
    const { picture, points } = readProject();
    void flow.setViewport(homeView(picture.graph, points, picture.entry, view));
  }, [flow, frame, readProject]);
}
