'use client';

import { useEffect } from 'react';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { announce } from '@/components/ui/announcer';
import { isRegion, nextRegion, type Region, regionNames, regions } from '@/lib/editor/regions';

/** What gets the focus in a region where nothing had it before. */
const starts: Readonly<Record<Region, string>> = {
  outline: '[role="treeitem"][tabindex="0"]',
  canvas: '.react-flow__node.selected',
  inspector: '[role="tab"][data-state="active"]',
  text: '.cm-content',
  dock: '[role="tab"][data-state="active"]',
};

/**
 * Moves the focus with F6 and Shift+F6 through the regions that are open, each to where it was in it before. On a phone, which
 * shows one region at a time, the key shows the next one.
 */
export function useRegions(isNarrow: boolean) {
  const actions = useActions();
  const readProject = useReadProject();
  useEffect(() => {
    const last = new Map<Region, HTMLElement>();

    function onFocusIn({ target }: FocusEvent) {
      const region = regionOf(target);
      if (region !== undefined && target instanceof HTMLElement) last.set(region, target);
    }

    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"][data-state="open"], [role="menu"]') !== null) return;
      const to = nextRegion(openRegions(isNarrow), shownRegion(), event.shiftKey ? 'previous' : 'next');
      if (to === undefined) return;
      event.preventDefault();
      if (isNarrow && to !== 'text') actions.show({ narrowPanel: to });
      // A panel that is shown by this key is on the page one frame later.
      requestAnimationFrame(() => focusRegion(to, last.get(to)));
      announce(regionNames[to]);
    }

    /** Returns the region with the focus. On a phone it is the one on the screen. */
    function shownRegion(): Region | undefined {
      return isNarrow ? readProject().narrowPanel : regionOf(document.activeElement);
    }

    window.addEventListener('focusin', onFocusIn);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('focusin', onFocusIn);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [actions, readProject, isNarrow]);
}

function openRegions(isNarrow: boolean): readonly Region[] {
  if (isNarrow) return ['outline', 'canvas', 'inspector', 'dock'];
  return regions.filter((region) => {
    const element = elementOf(region);
    return element !== null && isSeen(element);
  });
}

function focusRegion(region: Region, before: HTMLElement | undefined): void {
  const element = elementOf(region);
  if (element === null) return;
  const start = element.querySelector<HTMLElement>(starts[region]);
  const target = before?.isConnected && element.contains(before) && isSeen(before) ? before : (start ?? element);
  target.focus({ preventScroll: target === element });
}

function elementOf(region: Region): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-region="${region}"]`);
}

function isSeen(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

function regionOf(target: EventTarget | null): Region | undefined {
  const region = target instanceof Element ? target.closest('[data-region]')?.getAttribute('data-region') : undefined;
  return isRegion(region) ? region : undefined;
}
