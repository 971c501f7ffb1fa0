import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A distance from the end, in CSS pixels, that counts as at the end. */
const nearPx = 48;

export interface Bottom {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** True if something came below what is shown. */
  readonly isNewBelow: boolean;
  readonly toBottom: () => void;
  /** Call it before earlier turns are put above: what is shown then stays where it is. */
  readonly holdPlace: () => void;
}

/**
 * Keeps a list at its end while it grows, as long as the person has not scrolled up. `key` names the list: another one begins at its
 * end. `first` names its first item. `isLive` is true while something may come: other growth, such as a line that is opened, is no news.
 */
export function useBottom(key: string, first: string | undefined, isLive: boolean): Bottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const height = useRef(0);
  const held = useRef<{ readonly height: number; readonly top: number }>(undefined);
  const live = useRef(isLive);
  live.current = isLive;
  const [isNewBelow, setIsNewBelow] = useState(false);
  const toBottom = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    atEnd.current = true;
    element.scrollTop = element.scrollHeight;
    setIsNewBelow(false);
  }, []);
  const holdPlace = useCallback(() => {
    const element = scroller.current;
    if (element !== null) held.current = { height: element.scrollHeight, top: element.scrollTop };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its end
  useLayoutEffect(toBottom, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the first item is another one, earlier ones came
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || held.current === undefined) return;
    element.scrollTop = held.current.top + element.scrollHeight - held.current.height;
    held.current = undefined;
  }, [first]);

  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current];
    if (outer === null || inner === null) return;
    const onScroll = () => {
      atEnd.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight <= nearPx;
      if (atEnd.current) setIsNewBelow(false);
    };
    const observer = new ResizeObserver(() => {
      const grew = inner.scrollHeight > height.current;
      height.current = inner.scrollHeight;
      if (atEnd.current) outer.scrollTop = outer.scrollHeight;
      else if (grew && live.current && isBelow(outer)) setIsNewBelow(true);
    });
    observer.observe(inner);
    observer.observe(outer);
    outer.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      outer.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { scroller, content, isNewBelow, toBottom, holdPlace };
}

function isBelow(outer: HTMLElement): boolean {
  return outer.scrollHeight - outer.scrollTop - outer.clientHeight > nearPx;
}
